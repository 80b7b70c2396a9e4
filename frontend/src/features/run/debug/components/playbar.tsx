import { ChevronsLeft, ChevronsRight, CircleDot, History, MessageSquare, Pause, Play, StepBack, StepForward, TriangleAlert, UserRound } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button, IconButton } from "@/components/button";
import { Input, Select } from "@/components/field";
import { remember } from "@/lib/storage";

import { useFromStore, usePage, useRunPlace } from "../../model/run-context";
import { useBreakpoints } from "../model/use-breakpoints";
import { useDebug, useDebugUi, useOpenDialog } from "../model/debug-context";
import { SPEED_KEY } from "../model/debug-ui";
import { SPEEDS, type Speed } from "../model/playback";
import { usePlaying } from "../model/use-playing";
import styles from "./playbar.module.css";
import { ReplayButton } from "./replay-button";

/** The bar at the foot of the page: the playhead's controls. */
export function Playbar() {
  const { t } = useTranslation();
  const { session, narrow } = useRunPlace();
  const { ui, stepper } = useDebug();
  const playing = useDebugUi((state) => state.playing);
  const seq = usePage((state) => state.seq);
  const head = useFromStore(({ store }) => store.head);
  const errors = useFromStore(({ store }) => store.errors.length);
  usePlaying();
  const atStart = seq === 0;
  const atEnd = seq !== null && seq >= head;
  return (
    <div className={styles["bar"]} role="toolbar" aria-label={t("debug.play.label")}>
      <div className={styles["group"]}>
        <IconButton label={t("debug.play.first")} keys="home" disabled={head < 0 || atStart} onClick={() => stepper.first()}><ChevronsLeft /></IconButton>
        <IconButton label={t("debug.play.back")} keys="k" disabled={head < 0 || atStart} onClick={() => stepper.go(stepper.neighbour(-1))}><StepBack /></IconButton>
        <IconButton
          label={t(playing ? "debug.play.stop" : "debug.play.play")}
          keys="space"
          pressed={playing}
          disabled={head < 0}
          onClick={() => ui.setState({ playing: !playing })}
        >
          {playing ? <Pause /> : <Play />}
        </IconButton>
        <IconButton label={t("debug.play.step")} keys="j" disabled={head < 0 || atEnd} onClick={() => stepper.go(stepper.neighbour(1))}><StepForward /></IconButton>
        <IconButton label={t("debug.play.last")} keys="end" disabled={head < 0 || atEnd} onClick={() => stepper.last()}><ChevronsRight /></IconButton>
      </div>
      <Position head={head} />
      {!narrow && <SpeedSelect />}
      {!narrow && (
        <div className={styles["group"]}>
          <IconButton label={t("debug.play.next_of_agent")} keys="shift+j" onClick={() => stepper.ofAgent(1)}><UserRound /></IconButton>
          <IconButton label={t("debug.play.next_message")} keys="]" onClick={() => stepper.message(1)}><MessageSquare /></IconButton>
        </div>
      )}
      {narrow ? (
        <IconButton label={t("debug.play.next_error")} disabled={errors === 0} onClick={() => stepper.error(1)}><TriangleAlert /></IconButton>
      ) : (
        <Button kind="quiet" icon={<TriangleAlert />} disabled={errors === 0} onClick={() => stepper.error(1)} title={t("debug.play.next_error_keys")}>
          {t("debug.play.next_error")}
        </Button>
      )}
      <span className={styles["space"]} />
      {!narrow && <ReplayButton />}
      {!narrow && <BreakpointsButton />}
      {session.whole ? null : <span className={styles["soft"]}><History size={13} aria-hidden /> {t("debug.play.large")}</span>}
    </div>
  );
}

/** Where the playhead is; a number typed here moves it. */
function Position({ head }: { head: number }) {
  const { t } = useTranslation();
  const { stepper } = useDebug();
  const seq = usePage((state) => state.seq);
  const [typed, setTyped] = useState<string | null>(null);
  useEffect(() => setTyped(null), [seq]);
  const go = () => {
    const wanted = Number(typed);
    if (typed !== null && typed !== "" && Number.isInteger(wanted)) stepper.go(Math.max(0, Math.min(wanted, head)));
    setTyped(null);
  };
  return (
    <span className={styles["position"]}>
      <Input
        mono
        inputMode="numeric"
        aria-label={t("debug.play.position")}
        className={styles["seq"]}
        value={typed ?? (seq === null ? "" : String(seq))}
        placeholder="–"
        onChange={(event) => setTyped(event.target.value.replace(/\D/g, ""))}
        onBlur={go}
        onKeyDown={(event) => {
          if (event.key === "Enter") go();
          if (event.key === "Escape") setTyped(null);
        }}
      />
      <span className={styles["of"]}>/ {head < 0 ? "–" : head.toLocaleString("en-US")}</span>
    </span>
  );
}

function SpeedSelect() {
  const { t } = useTranslation();
  const { ui } = useDebug();
  const speed = useDebugUi((state) => state.speed);
  return (
    <Select
      className={styles["speed"]}
      aria-label={t("debug.play.speed")}
      title={t("debug.play.speed_hint")}
      value={String(speed)}
      options={SPEEDS.map((each) => ({ value: String(each), label: `${String(each)}×` }))}
      onChange={(event) => {
        const chosen = Number(event.target.value) as Speed;
        remember(SPEED_KEY, chosen);
        ui.setState({ speed: chosen });
      }}
    />
  );
}

function BreakpointsButton() {
  const { t } = useTranslation();
  const open = useOpenDialog();
  const { breakpoints } = useBreakpoints();
  const on = breakpoints.filter(({ enabled }) => enabled).length;
  return (
    <Button kind="quiet" icon={<CircleDot />} onClick={() => open({ name: "breakpoints", from: null })} title={t("debug.break.open_keys")}>
      {t("debug.break.button", { count: on })}
    </Button>
  );
}
