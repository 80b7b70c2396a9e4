import { useTranslation } from "react-i18next";
import { Link } from "react-router";

import { Score } from "@/components/score";
import { CopyButton, IdChip, RelativeTime } from "@/components/values";
import { money } from "@/lib/format";

import { Family } from "../debug/components/family";
import { useRunPlace } from "../model/run-context";
import { Fact } from "./facts";
import styles from "./inspector.module.css";

/** The run itself: its question, its team, its limits. Shown while no event is selected. */
export function RunOverview() {
  const { t } = useTranslation();
  const { run } = useRunPlace();
  const limits = Object.entries(run.team.limits ?? {}).filter((limit): limit is [string, number] => typeof limit[1] === "number");
  return (
    <div className={styles["scroll"]}>
      <dl className={styles["facts"]}>
        <Fact name={t("trace.run.id")}><IdChip id={run.run_id} /></Fact>
        <Fact name={t("trace.run.source")}>{t(`common.source.${run.source}`, { defaultValue: run.source })}</Fact>
        <Fact name={t("trace.run.created")}><RelativeTime at={run.created_at} /></Fact>
        {run.started_at > 0 && <Fact name={t("trace.run.started")}><RelativeTime at={run.started_at} /></Fact>}
        {run.finished_at > 0 && <Fact name={t("trace.run.finished")}><RelativeTime at={run.finished_at} /></Fact>}
        {run.worker !== "" && <Fact name={t("trace.run.worker")}>{run.worker}</Fact>}
        <TaskFact />
        {typeof run.score === "number" && <Fact name={t("trace.run.score")}><Score value={run.score} /></Fact>}
        {run.tags.length > 0 && <Fact name={t("trace.run.tags")}>{run.tags.join(", ")}</Fact>}
        {limits.map(([name, value]) => <Fact key={name} name={t(`trace.limit.${name}`)}>{name === "cost_usd" ? money(value) : value.toLocaleString("en-US")}</Fact>)}
      </dl>
      <Family />
      <section className={styles["section"]}>
        <header className={styles["sectionHead"]}><h3>{t("trace.run.question")}</h3><CopyButton text={run.input} /></header>
        <p className={styles["text"]}>{run.input}</p>
      </section>
      {run.answer !== "" && (
        <section className={styles["section"]}>
          <header className={styles["sectionHead"]}><h3>{t("trace.run.answer")}</h3><CopyButton text={run.answer} /></header>
          <p className={styles["text"]}>{run.answer}</p>
        </section>
      )}
      <section className={styles["section"]}>
        <header className={styles["sectionHead"]}><h3>{t("trace.run.team")}</h3></header>
        <ul className={styles["agents"]}>
          {(run.team.agents ?? []).map((agent) => (
            <li key={agent.name}>
              <strong>{agent.name}</strong>
              <span className={styles["soft"]}>{[agent.role === agent.name ? "" : agent.role, agent.model, ...(agent.tools ?? [])].filter(Boolean).join(" · ")}</span>
            </li>
          ))}
        </ul>
      </section>
      <p className={styles["hint"]}>{t("trace.details.hint")}</p>
    </div>
  );
}

/** The task of an environment that the run does, with its page. */
function TaskFact() {
  const { t } = useTranslation();
  const { suite = "", task_id: id = "" } = useRunPlace().run.environment ?? {};
  if (suite === "" || id === "") return null;
  return <Fact name={t("trace.run.task")}><Link to={`/environments/${encodeURIComponent(suite)}/${encodeURIComponent(id)}`}>{suite}/{id}</Link></Fact>;
}
