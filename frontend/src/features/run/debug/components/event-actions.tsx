import { CircleDot, GitFork, Hand, Pencil } from "lucide-react";
import { useTranslation } from "react-i18next";

import { IconButton } from "@/components/button";
import type { Event } from "@/generated/events";
import { kindOf } from "@/lib/events/kinds";

import { useFromStore, useRunPlace } from "../../model/run-context";
import { useOpenDialog } from "../model/debug-context";
import { blankAnswer, isEditable, type Fields } from "../model/editable";

const GOING = new Set(["running", "paused", "parked"]);

/** What the debugger can do with an event: answer it, edit it, stop at its like, fork behind it. */
export function EventActions({ event }: { event: Event }) {
  const { t } = useTranslation();
  const { run, session, narrow } = useRunPlace();
  const open = useOpenDialog();
  const isOpen = useFromStore(() => session.store.isOpen(event.seq));
  if (narrow) return null;
  const answerable = isOpen && GOING.has(run.status) && blankAnswer(event.payload as unknown as Fields) !== null;
  return (
    <>
      {answerable && (
        <IconButton label={t("debug.action.answer")} onClick={() => open({ name: "answer", span: event.seq, opened: { actor: event.actor, payload: event.payload } })}>
          <Hand size={15} />
        </IconButton>
      )}
      {isEditable(kindOf(event)) && (
        <IconButton
          label={run.status === "running" ? t("debug.action.edit_running") : t("debug.action.edit")}
          keys="e"
          disabled={run.status === "running"}
          onClick={() => open({ name: "edit", seq: event.seq })}
        >
          <Pencil size={15} />
        </IconButton>
      )}
      <IconButton label={t("debug.action.break")} keys="b" onClick={() => open({ name: "breakpoints", from: event.seq })}><CircleDot size={15} /></IconButton>
      <IconButton label={t("debug.action.fork")} keys="f" onClick={() => open({ name: "fork", at: event.seq, edits: {} })}><GitFork size={15} /></IconButton>
    </>
  );
}
