import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { classNames } from "@/components/class-names";
import { Input, Select } from "@/components/field";
import { FAMILIES } from "@/generated/events";

import type { KindFilter } from "../model/address";
import { hiddenErrors } from "../model/filter";
import { stepMatch, type Found } from "../model/finder";
import { select } from "../model/page-state";
import { useFromStore, usePage, useRunPlace } from "../model/run-context";
import styles from "./layout.module.css";

export const FIND_FIELD = "run-find";

/** Agent, kind, text. What a filter hides of the errors is said beside it. */
export function FilterBar({ found }: { found: Found }) {
  const { t } = useTranslation();
  const { session, page, narrow } = useRunPlace();
  const lane = usePage((state) => state.lane);
  const kind = usePage((state) => state.kind);
  useFromStore(({ store }) => store.lanes.version);
  const hidden = useFromStore(({ store }) => hiddenErrors(store, { lane, kind }));
  useFilteredLoading(lane, kind);
  const { lanes } = session.store;
  const agents = lanes.order.flatMap((number) => {
    const own = lanes.get(number);
    return own === undefined || own.parent >= 0 ? [] : [own.name];
  });
  return (
    <div className={styles["filters"]}>
      {hidden > 0 && (
        <button type="button" className={styles["hidden"]} onClick={() => page.setState({ lane: "", kind: "errors" })}>
          {t("trace.filter.hidden_errors", { count: hidden })}
        </button>
      )}
      <Select
        className={classNames(styles["select"], lane !== "" && styles["active"])}
        aria-label={t("trace.filter.agent")}
        value={lane}
        options={[{ value: "", label: t("trace.filter.all_agents") }, ...agents.map((name) => ({ value: name, label: name }))]}
        onChange={(event) => page.setState({ lane: event.target.value })}
      />
      <Select
        className={classNames(styles["select"], kind !== "" && styles["active"])}
        aria-label={t("trace.filter.kind")}
        value={kind}
        options={[
          { value: "", label: t("trace.filter.all_kinds") },
          { value: "errors", label: t("trace.filter.errors") },
          ...FAMILIES.map((family) => ({ value: family, label: t(`trace.family.${family}`) })),
        ]}
        onChange={(event) => page.setState({ kind: event.target.value as KindFilter })}
      />
      {!narrow && <Find found={found} />}
    </div>
  );
}

function Find({ found }: { found: Found }) {
  const { t } = useTranslation();
  const { page, session } = useRunPlace();
  const q = usePage((state) => state.q);
  const seq = usePage((state) => state.seq);
  const field = useRef<HTMLInputElement>(null);
  const index = seq === null ? -1 : found.matches.indexOf(seq);
  const words =
    q === ""
      ? ""
      : found.matches.length === 0 && found.done
        ? t("trace.find.none")
        : `${index >= 0 ? String(index + 1) : "–"}/${String(found.matches.length)}`;
  return (
    <span className={styles["find"]}>
      <Input
        ref={field}
        id={FIND_FIELD}
        type="search"
        placeholder={t("trace.find.placeholder")}
        aria-label={t("trace.find.placeholder")}
        value={q}
        onChange={(event) => page.setState({ q: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === "Escape") field.current?.blur();
          if (event.key !== "Enter") return;
          const next = stepMatch(found.matches, seq, event.shiftKey ? -1 : 1);
          if (next === null) return;
          session.ensure(next, next);
          select(page, next);
        }}
      />
      <span className={styles["findCount"]} role="status" title={found.unloaded > 0 ? t("trace.find.partly", { searched: found.searched, unloaded: found.unloaded }) : undefined}>
        {words}
        {q !== "" && found.unloaded > 0 && " *"}
      </span>
    </span>
  );
}

const MOST_FILTERED = 5_000;

/** In a run that is not loaded whole, the server finds what a filter shows. */
function useFilteredLoading(lane: string, kind: KindFilter): void {
  const { session } = useRunPlace();
  const whole = useFromStore(({ complete, loading }) => complete || loading.state === "loading");
  useEffect(() => {
    if (whole || lane === "" || kind === "errors") return;
    session.query({ actors: lane }, MOST_FILTERED).catch(() => {
      // The list then shows what is loaded; the ribbon says how much that is.
    });
  }, [session, whole, lane, kind]);
}
