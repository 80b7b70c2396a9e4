import { CircleStop, Hand, PauseCircle, Play, SkipForward, StepForward } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "@/components/button";
import { Input } from "@/components/field";
import { Keys } from "@/components/keys";

import { runApi } from "../../api/run-api";
import { SeqLink } from "../../details/seq-link";
import { useFromStore, useRunPlace } from "../../model/run-context";
import { debugApi, type Held } from "../api/debug-api";
import { useOpenDialog } from "../model/debug-context";
import { blankAnswer, type Fields } from "../model/editable";
import { pauseReason } from "../model/pause";
import { useCommands } from "../model/use-commands";
import { useHolder } from "../model/use-holder";
import { useRunState } from "../model/use-run-state";
import { useHotkeys } from "@/lib/hotkeys";
import { summaryOf } from "./answer-dialog";
import styles from "./banners.module.css";
import { HolderLine } from "./holder-line";

/** A paused or parked run: why it stands still, what comes next, and what can be done. */
export function PausedBanner() {
  const { run } = useRunPlace();
  return run.status === "paused" || run.status === "parked" ? <Paused parked={run.status === "parked"} /> : null;
}

function Paused({ parked }: { parked: boolean }) {
  const { t } = useTranslation();
  const { narrow } = useRunPlace();
  return (
    <section className={styles["banner"]} aria-label={t("debug.paused.label")}>
      <div className={styles["line"]} role="status">
        <PauseCircle size={16} aria-hidden />
        <Reason />
        {parked && <span className={styles["soft"]}>{t("debug.paused.parked")}</span>}
        <HolderLine />
      </div>
      <Next />
      {narrow ? <Phone /> : <Commands />}
    </section>
  );
}

function Reason() {
  const { t } = useTranslation();
  const { session } = useRunPlace();
  useFromStore(({ store }) => store.known.last);
  const reason = pauseReason(session.store);
  if (reason === null) return <strong>{t("debug.paused.plain")}</strong>;
  return (
    <span>
      <strong>{t(`debug.paused.by_${reason.cause}`, { name: reason.name })}</strong>
      {" "}
      {t(reason.before ? "debug.paused.behind" : "debug.paused.after")} <SeqLink seq={reason.at} />
      {reason.note !== "" && <span className={styles["note"]}>{reason.note}</span>}
    </span>
  );
}

function useHeld(): { held: Held | null; known: boolean } {
  const head = useFromStore(({ store }) => store.head);
  const { state, behind } = useRunState(head);
  return { held: behind ? null : (state?.held ?? null), known: state !== undefined && !behind };
}

/** What is held back, and begins when the run goes on. */
function Next() {
  const { t } = useTranslation();
  const { held, known } = useHeld();
  const open = useFromStore(({ store }) => store.open.size);
  if (!known) return <p className={styles["next"]}>{t("debug.paused.next_loading")}</p>;
  if (held === null) return <p className={styles["next"]}>{open > 0 ? t("debug.paused.next_open", { count: open }) : t("debug.paused.next_none")}</p>;
  return (
    <p className={styles["next"]}>
      {t("debug.paused.next", { actor: held.actor })} <span className={styles["kind"]}>{held.payload.kind}</span>
      <code className={styles["what"]}>{summaryOf(held)}</code>
    </p>
  );
}

function Commands() {
  const { t } = useTranslation();
  const { run } = useRunPlace();
  const { held } = useHeld();
  const { busy, send } = useCommands();
  const { blocked } = useHolder();
  const open = useOpenDialog();
  const off = busy || blocked;
  const step = () => void send(() => debugApi.step(run.run_id));
  const resume = () => void send(() => runApi.command(run.run_id, "resume"));
  useHotkeys(
    [
      { keys: "f10", label: "debug.keys.step", group: "debug.keys.live", run: step },
      { keys: "f8", label: "debug.keys.resume", group: "debug.keys.live", run: resume },
    ],
    !off,
  );
  const answerable = held !== null && blankAnswer(held.payload as unknown as Fields) !== null;
  return (
    <div className={styles["commands"]}>
      <Button icon={<StepForward />} disabled={off} onClick={step}>{t("debug.paused.step")} <Keys keys="f10" /></Button>
      <Button kind="primary" icon={<Play />} disabled={off} onClick={resume}>{t("debug.paused.resume")} <Keys keys="f8" /></Button>
      <RunTo disabled={off} />
      {answerable && (
        <Button icon={<Hand />} disabled={off} onClick={() => open({ name: "answer", span: -1, opened: held })}>{t("debug.paused.answer")}</Button>
      )}
      <span className={styles["space"]} />
      <Button kind="danger" icon={<CircleStop />} disabled={busy} onClick={() => void send(() => runApi.command(run.run_id, "cancel"))}>{t("debug.paused.cancel")}</Button>
    </div>
  );
}

/** Let the run go on up to a step that has not happened yet. */
function RunTo({ disabled }: { disabled: boolean }) {
  const { t } = useTranslation();
  const { run } = useRunPlace();
  const head = useFromStore(({ store }) => store.head);
  const { busy, send } = useCommands();
  const [typed, setTyped] = useState("");
  const wanted = typed === "" ? head + 10 : Number(typed);
  return (
    <form
      className={styles["runTo"]}
      onSubmit={(event) => {
        event.preventDefault();
        void send(() => debugApi.runTo(run.run_id, wanted)).then((done) => done && setTyped(""));
      }}
    >
      <Button type="submit" icon={<SkipForward />} disabled={disabled || busy || wanted <= head}>{t("debug.paused.run_to")}</Button>
      <Input
        mono
        inputMode="numeric"
        aria-label={t("debug.paused.run_to_step")}
        title={wanted <= head ? t("debug.paused.run_to_past", { head }) : undefined}
        aria-invalid={wanted <= head || undefined}
        placeholder={String(head + 10)}
        value={typed}
        onChange={(event) => setTyped(event.target.value.replace(/\D/g, "").slice(0, 9))}
      />
    </form>
  );
}

/** A phone can let the run go on or end it; changing it wants a wider screen. */
function Phone() {
  const { t } = useTranslation();
  const { run } = useRunPlace();
  const { busy, send } = useCommands();
  const { blocked } = useHolder();
  return (
    <>
      <div className={styles["commands"]}>
        <Button icon={<StepForward />} disabled={busy || blocked} onClick={() => void send(() => debugApi.step(run.run_id))}>{t("debug.paused.step")}</Button>
        <Button kind="primary" icon={<Play />} disabled={busy || blocked} onClick={() => void send(() => runApi.command(run.run_id, "resume"))}>{t("debug.paused.resume")}</Button>
      </div>
      <p className={styles["soft"]}>{t("debug.narrow")}</p>
    </>
  );
}
