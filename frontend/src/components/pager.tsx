import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { IconButton } from "./button";
import styles from "./pager.module.css";

interface PagerProps {
  /** From 1. */
  page: number;
  size: number;
  total: number;
  onPage: (page: number) => void;
  /** A remark at the left, such as what a sort covers. */
  note?: ReactNode;
}

/** `51–100 of 1,204` and the two arrows. */
export function Pager({ page, size, total, onPage, note }: PagerProps) {
  const { t } = useTranslation();
  const from = (page - 1) * size + 1;
  const to = Math.min(total, page * size);
  const figures = { from: from.toLocaleString("en-US"), to: to.toLocaleString("en-US"), total: total.toLocaleString("en-US") };
  return (
    <div className={styles["pager"]}>
      <span className={styles["note"]}>{note}</span>
      <span className={styles["range"]}>{total > 0 && from <= total && t("common.pager.range", figures)}</span>
      <IconButton label={t("common.pager.previous")} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft />
      </IconButton>
      <IconButton label={t("common.pager.next")} disabled={to >= total} onClick={() => onPage(page + 1)}>
        <ChevronRight />
      </IconButton>
    </div>
  );
}
