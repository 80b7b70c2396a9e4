import { toast } from "@/components/toast";
import { kindOf } from "@/lib/events/kinds";
import { useHotkeys } from "@/lib/hotkeys";
import { useTranslation } from "react-i18next";

import { useRunPlace } from "../../model/run-context";
import { useDebug, useOpenDialog } from "./debug-context";
import { isEditable } from "./editable";
import { otherSpeed } from "./playback";

/** The debugger's keys; the ones that walk are the page's own. */
export function useDebugKeys(): void {
  const { t } = useTranslation();
  const { session, run, narrow } = useRunPlace();
  const { ui, stepper } = useDebug();
  const open = useOpenDialog();
  const group = "debug.keys.group";
  const edit = () => {
    const { seq } = stepper;
    const event = seq === null ? undefined : session.store.events.peek(seq);
    if (event === undefined || !isEditable(kindOf(event))) toast({ text: t("debug.edit.not_this") });
    else if (run.status === "running") toast({ text: t("debug.action.edit_running") });
    else open({ name: "edit", seq: event.seq });
  };
  useHotkeys(
    [
      { keys: "space", label: "debug.keys.play", group, run: () => ui.setState(({ playing }) => ({ playing: !playing })) },
      { keys: "shift+j", label: "debug.keys.agent_next", group, run: () => stepper.ofAgent(1) },
      { keys: "shift+k", label: "debug.keys.agent_previous", group, run: () => stepper.ofAgent(-1) },
      { keys: "i", label: "debug.keys.state", group, run: () => ui.setState(({ part }) => ({ part: part === "state" ? "event" : "state" })) },
      { keys: "c", label: "debug.keys.changed", group, run: () => ui.setState(({ changedOnly }) => ({ changedOnly: !changedOnly, part: "state" })) },
      { keys: "b", label: "debug.keys.break", group, run: () => open({ name: "breakpoints", from: stepper.seq }) },
      { keys: "e", label: "debug.keys.edit", group, run: edit },
      { keys: "f", label: "debug.keys.fork", group, run: () => open({ name: "fork", at: stepper.seq ?? Math.max(0, run.last_seq), edits: {} }) },
      { keys: "<", label: "debug.keys.slower", group, run: () => ui.setState(({ speed }) => ({ speed: otherSpeed(speed, -1) })) },
      { keys: ">", label: "debug.keys.faster", group, run: () => ui.setState(({ speed }) => ({ speed: otherSpeed(speed, 1) })) },
    ],
    !narrow,
  );
}
