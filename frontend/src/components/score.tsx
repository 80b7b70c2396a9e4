import { useTranslation } from "react-i18next";

import { Badge, type Tone } from "./badge";

/** A score from 0 to 1 with a word of its own shape: passed, partly, failed, not graded. */
export function Score({ value }: { value: number | null }) {
  const { t } = useTranslation();
  if (value === null) return <Badge>{t("forms.score.none")}</Badge>;
  const passed = value >= 1;
  const tone: Tone = passed ? "ok" : value > 0 ? "warning" : "error";
  const word = passed ? "passed" : value > 0 ? "partly" : "failed";
  return <Badge tone={tone} title={t(`forms.score.${word}`)}>{passed ? "✓" : value > 0 ? "◐" : "✖"} {t("forms.score", { score: value.toFixed(2) })}</Badge>;
}
