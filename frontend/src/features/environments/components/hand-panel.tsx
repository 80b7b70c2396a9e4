import { Eye, Hand, RotateCcw, Send, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "@/components/button";
import { Field, Select, Textarea } from "@/components/field";
import { Panel } from "@/components/panel";
import { SchemaForm } from "@/components/schema-form";
import { EmptyState, ErrorState } from "@/components/states";
import { VerdictCard } from "@/components/verdict-card";
import { useNow } from "@/components/values";
import { duration } from "@/lib/format";

import { episodes, type Episode, type Entry, type SuiteTask } from "../api/environments";
import styles from "./hand-panel.module.css";
import { Seen } from "./seen";
import { useEpisode, type Acting } from "./use-episode";

/** Doing a task by hand: what is seen, what can be done, what was done, and the verdict. */
export function HandPanel({ task, supported, why }: { task: SuiteTask; supported: boolean; why: string }) {
  const { t } = useTranslation();
  const acting = useEpisode();
  const { episode } = acting;
  return (
    <Panel title={t("environments.hand")} count={episode === null ? undefined : <span className={styles["steps"]}>{t("environments.hand.steps", { count: episode.steps })}</span>} actions={episode !== null && <Commands acting={acting} />}>
      {episode === null ? (
        <>
          <EmptyState
            icon={<Hand />}
            title={t("environments.hand.none")}
            action={<Button kind="primary" busy={acting.busy} disabled={!supported} onClick={() => acting.begin(task.reference)}>{t("environments.hand.begin")}</Button>}
          >
            {supported ? t("environments.hand.none_text") : why}
          </EmptyState>
          {acting.error !== null && <ErrorState error={acting.error} title={t("environments.hand.not_begun")} />}
        </>
      ) : (
        <Open episode={episode} acting={acting} />
      )}
    </Panel>
  );
}

function Commands({ acting }: { acting: Acting }) {
  const { t } = useTranslation();
  const left = acting.until * 1000 - useNow();
  return (
    <>
      <span className={styles["idle"]} title={t("environments.hand.idle_hint")}>{t("environments.hand.idle", { time: duration(Math.max(0, left)) })}</span>
      <Button kind="quiet" icon={<Eye />} disabled={acting.busy} onClick={() => acting.act(episodes.observe)}>{t("environments.hand.look")}</Button>
      <Button kind="quiet" icon={<RotateCcw />} disabled={acting.busy} onClick={() => acting.act(episodes.reset)}>{t("environments.hand.reset")}</Button>
      <Button kind="quiet" icon={<X />} onClick={acting.close}>{t("common.close")}</Button>
    </>
  );
}

function Open({ episode, acting }: { episode: Episode; acting: Acting }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState("");
  const action = episode.actions.find(({ name }) => name === chosen) ?? episode.actions[0];
  return (
    <div className={styles["open"]} aria-busy={acting.busy}>
      <Seen episode={episode} busy={acting.busy} onPoint={(name, given) => acting.act((id) => episodes.step(id, name, given))} />
      {acting.error !== null && <ErrorState error={acting.error} title={t("environments.hand.refused")} compact />}
      <div className={styles["columns"]}>
        <section className={styles["act"]} aria-label={t("environments.hand.act")}>
          {action === undefined ? (
            <p className={styles["soft"]}>{t("environments.hand.no_actions")}</p>
          ) : (
            <>
              {episode.actions.length > 1 && (
                <Field label={t("environments.hand.action")}>
                  {(control) => <Select {...control} value={action.name} options={episode.actions.map(({ name }) => ({ value: name, label: name }))} onChange={(event) => setChosen(event.target.value)} />}
                </Field>
              )}
              <p className={styles["soft"]}>{action.description}</p>
              <SchemaForm key={action.name} schema={action.parameters} submit={episode.actions.length > 1 ? t("environments.hand.do") : action.name} busy={acting.busy} onSubmit={(given) => acting.act((id) => episodes.step(id, action.name, given))} />
            </>
          )}
          <Answer acting={acting} />
        </section>
        <section className={styles["did"]} aria-label={t("environments.hand.journal")}>
          {episode.verdict !== null && <VerdictCard verdict={episode.verdict} />}
          <h3 className={styles["title"]}>{t("environments.hand.journal")}</h3>
          <ol className={styles["journal"]}>{episode.journal.map((entry, index) => <Line key={index} entry={entry} />)}</ol>
        </section>
      </div>
    </div>
  );
}

function Answer({ acting }: { acting: Acting }) {
  const { t } = useTranslation();
  const [answer, setAnswer] = useState("");
  return (
    <form
      className={styles["answer"]}
      onSubmit={(event) => {
        event.preventDefault();
        acting.act((id) => episodes.verify(id, answer));
      }}
    >
      <Field label={t("environments.hand.answer")} hint={t("environments.hand.answer_hint")}>
        {(control) => <Textarea {...control} rows={2} value={answer} onChange={(event) => setAnswer(event.target.value)} />}
      </Field>
      <Button type="submit" icon={<Send />} busy={acting.busy}>{t("environments.hand.verify")}</Button>
    </form>
  );
}

function Line({ entry }: { entry: Entry }) {
  const { t } = useTranslation();
  if (entry.kind === "environment.stepped") {
    const given = JSON.stringify(entry.action.arguments);
    return <li title={given}><code>{entry.action.name}{given === "{}" ? "" : ` ${given}`}</code></li>;
  }
  if (entry.kind === "environment.verified") return <li>{t("environments.hand.handed_in")} {entry.score === null || entry.score === undefined ? "" : entry.score.toFixed(2)}</li>;
  return <li>{t("environments.hand.was_reset")}</li>;
}
