import { useQueryClient } from "@tanstack/react-query";
import { Archive, CircleStop, Copy, Ellipsis, Link2, Pause, Play, RotateCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";

import { Button, IconButton } from "@/components/button";
import { Menu } from "@/components/menu";
import { useErrorText } from "@/components/states";
import { toast } from "@/components/toast";
import { useCopy } from "@/components/values";

import { runApi } from "../api/run-api";
import { useRunPlace } from "../model/run-context";
import styles from "./head.module.css";

const GOING = new Set(["queued", "running", "paused", "parked", "lost"]);

/** What can be done with the run, in the page's bar. */
export function Actions() {
  const { t } = useTranslation();
  const { run, narrow } = useRunPlace();
  const { busy, command, again, remove } = useRunActions();
  const [, copy] = useCopy();
  const copyAs = (as: "python" | "curl") =>
    void runApi.copy(run.run_id, as).then(({ text }) => {
      copy(text);
      toast({ text: t(`trace.action.copied_${as}`), mark: "ok" });
    });
  const going = GOING.has(run.status);
  const paused = run.status === "paused" || run.status === "parked";
  return (
    <div className={styles["actions"]}>
      {run.status === "running" && (
        <IconButton label={t("trace.action.pause")} disabled={busy} onClick={() => command("pause")}><Pause size={15} /></IconButton>
      )}
      {paused && <IconButton label={t("trace.action.resume")} disabled={busy} onClick={() => command("resume")}><Play size={15} /></IconButton>}
      {going && <IconButton label={t("trace.action.cancel")} disabled={busy} onClick={() => command("cancel")}><CircleStop size={15} /></IconButton>}
      {!narrow && <Button icon={<RotateCw size={14} />} busy={busy} onClick={again}>{t("trace.action.again")}</Button>}
      <Menu
        trigger={<IconButton label={t("trace.action.more")}><Ellipsis size={16} /></IconButton>}
        items={[
          { label: t("trace.action.link"), icon: <Link2 size={14} />, onSelect: () => copy(location.href) },
          { label: t("trace.action.python"), icon: <Copy size={14} />, onSelect: () => copyAs("python") },
          { label: t("trace.action.curl"), icon: <Copy size={14} />, onSelect: () => copyAs("curl") },
          { label: t("trace.action.archive"), icon: <Archive size={14} />, onSelect: () => location.assign(runApi.archiveAddress(run.run_id)) },
          ...(narrow ? [{ label: t("trace.action.again"), icon: <RotateCw size={14} />, onSelect: again }] : []),
          null,
          { label: t("common.delete"), icon: <Trash2 size={14} />, danger: true, disabled: run.status === "running", onSelect: remove },
        ]}
      />
    </div>
  );
}

function useRunActions() {
  const { t } = useTranslation();
  const { run } = useRunPlace();
  const client = useQueryClient();
  const navigate = useNavigate();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const guarded = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      toast({ text: errorText(error).message, mark: "error" });
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    command: (name: "cancel" | "pause" | "resume") =>
      void guarded(async () => {
        await runApi.command(run.run_id, name);
        toast({ text: t(`trace.action.sent_${name}`), mark: "ok" });
        await client.invalidateQueries({ queryKey: ["run", run.run_id, "row"] });
      }),
    again: () =>
      void guarded(async () => {
        const made = await runApi.again(run);
        await navigate(`/runs/${made.run_id}`);
      }),
    // Deleting gives the space back for good, so it happens only when the moment to undo has passed.
    remove: () => {
      void navigate("/runs");
      toast({
        text: t("trace.action.deleted"),
        undo: () => void navigate(`/runs/${run.run_id}`),
        onGone: () =>
          void runApi.remove(run.run_id).then(
            () => client.invalidateQueries({ queryKey: ["runs"] }),
            (error: unknown) => toast({ text: errorText(error).message, mark: "error" }),
          ),
      });
    },
  };
}
