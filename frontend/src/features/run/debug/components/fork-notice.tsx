import { GitFork } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";

import { shortId } from "@/lib/format";

import { SeqLink } from "../../details/seq-link";
import { useFromStore, useRunPlace } from "../../model/run-context";
import { sourceOf } from "../model/source";
import styles from "./banners.module.css";

/** Of a fork: whose steps it shares up to where, and what behind them was not really carried out. */
export function ForkNotice() {
  const { t } = useTranslation();
  const { run, session } = useRunPlace();
  const { store } = session;
  const isFork = run.parent_run_id !== "";
  // A count a kind of source, as one text, so that it changes only when one of them does.
  const counted = useFromStore(() => (isFork ? counts(session.store, run.parent_seq) : ""));
  if (!isFork) return null;
  const [replayed, mocked, byPerson, edited] = counted.split(" ").map(Number);
  const parts = [
    (edited ?? 0) > 0 && t("debug.fork.edited", { count: edited ?? 0 }),
    (replayed ?? 0) > 0 && t("debug.fork.replayed", { count: replayed ?? 0 }),
    (mocked ?? 0) > 0 && t("debug.fork.mocked", { count: mocked ?? 0 }),
    (byPerson ?? 0) > 0 && t("debug.fork.by_person", { count: byPerson ?? 0 }),
  ].filter((part) => part !== false);
  return (
    <div className={styles["fork"]} role="note">
      <GitFork size={14} aria-hidden />
      <span>
        {t("debug.fork.of")} <Link to={`/runs/${run.parent_run_id}?seq=${String(run.parent_seq)}`}>{shortId(run.parent_run_id)}</Link> {t("debug.fork.at")}{" "}
        <SeqLink seq={run.parent_seq} />
      </span>
      <span>{t("debug.fork.shared", { count: run.parent_seq + 1 })}{parts.length > 0 && ` · ${parts.join(" · ")}`}</span>
      {store.has(run.parent_seq + 1) && <span>· {t("debug.fork.first_own")} <SeqLink seq={run.parent_seq + 1} /></span>}
    </div>
  );
}

const MOST = 20_000;

function counts(store: ReturnType<typeof useRunPlace>["session"]["store"], shared: number): string {
  const found = { replay: 0, mock: 0, person: 0 };
  const last = Math.min(store.known.last, shared + MOST);
  for (let seq = shared + 1; seq <= last; seq += 1) {
    const source = sourceOf(store.events.peek(seq));
    if (source !== null) found[source.from] += 1;
  }
  const edited = store.edits.filter((seq) => seq > shared).length;
  return [found.replay, found.mock, found.person, edited].join(" ");
}
