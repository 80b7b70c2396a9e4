import { useDebugUi } from "../model/debug-context";
import { AnswerDialog } from "./answer-dialog";
import { BreakpointsDrawer } from "./breakpoints-drawer";
import { EditDialog } from "./edit-dialog";
import { ForkDialog } from "./fork-dialog";
import { ReplayDialog } from "./replay-button";

/** The dialog of the debugger that is open, if one is. */
export function DebugDialogs() {
  const dialog = useDebugUi((state) => state.dialog);
  switch (dialog?.name) {
    case "edit":
      return <EditDialog seq={dialog.seq} />;
    case "fork":
      return <ForkDialog at={dialog.at} edits={dialog.edits} />;
    case "answer":
      return <AnswerDialog span={dialog.span} opened={dialog.opened} />;
    case "breakpoints":
      return <BreakpointsDrawer from={dialog.from} />;
    case "replay":
      return <ReplayDialog />;
    default:
      return null;
  }
}
