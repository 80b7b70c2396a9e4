import { useTranslation } from "react-i18next";

import { Checkbox } from "@/components/field";
import { ErrorState, SkeletonRows } from "@/components/states";

import { useFromStore, usePage, useRunPlace } from "../../model/run-context";
import type { RunState } from "../api/debug-api";
import { useDebug, useDebugUi } from "../model/debug-context";
import { nodeNews, sameNode } from "../model/state-diff";
import { useRunState } from "../model/use-run-state";
import { Budgets } from "./budgets";
import { NodeCard } from "./node-card";
import styles from "./state-panel.module.css";
import { WorldCard } from "./world-card";

/** What every node knew at the playhead; without one, at the end of the run. */
export function StatePanel() {
  const { t } = useTranslation();
  const { ui } = useDebug();
  const selected = usePage((state) => state.seq);
  const head = useFromStore(({ store }) => store.head);
  const seq = selected ?? head;
  const { state, before, behind, error, retry } = useRunState(seq);
  const changedOnly = useDebugUi((each) => each.changedOnly);
  if (error !== null) return <ErrorState error={error} onRetry={retry} compact />;
  if (seq < 0) return <p className={styles["empty"]}>{t("debug.state.none")}</p>;
  if (state === undefined) return <SkeletonRows rows={8} height={44} />;
  return (
    <div className={styles["panel"]} aria-busy={behind} data-behind={behind || undefined}>
      <header className={styles["top"]}>
        <span className={styles["at"]}>{t("debug.state.at", { seq: state.seq })}</span>
        <Checkbox label={t("debug.state.changed_only")} checked={changedOnly} onChange={(event) => ui.setState({ changedOnly: event.target.checked })} />
      </header>
      <div className={styles["scroll"]} tabIndex={0} role="region" aria-label={t("debug.state.label")}>
        <Budgets budget={state.budget} before={before?.budget} />
        <WorldCard seq={state.seq} />
        <Nodes state={state} before={before} changedOnly={changedOnly} />
      </div>
    </div>
  );
}

function Nodes({ state, before, changedOnly }: { state: RunState; before: RunState | undefined; changedOnly: boolean }) {
  const { t } = useTranslation();
  const { session } = useRunPlace();
  const actor = session.store.events.peek(state.seq)?.actor;
  const known = before?.seq === state.seq - 1 ? before : undefined;
  const nodes = state.nodes.map((node) => ({ node, news: nodeNews(node, sameNode(known, node.name)) }));
  const shown = changedOnly ? nodes.filter(({ news }) => news.any) : nodes;
  if (shown.length === 0) return <p className={styles["empty"]}>{t(changedOnly ? "debug.state.nothing_changed" : "debug.state.no_nodes")}</p>;
  return shown.map(({ node, news }) => (
    <NodeCard key={node.name} node={node} news={news} changedOnly={changedOnly} acting={node.name === actor} at={state.at} seq={state.seq} />
  ));
}
