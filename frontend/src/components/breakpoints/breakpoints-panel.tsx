import { CircleDot, MessageSquareText, Pencil, Plus, Trash2, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button, IconButton } from "@/components/button";
import { classNames } from "@/components/class-names";
import { EmptyState, useErrorText } from "@/components/states";
import { toast } from "@/components/toast";
import { ApiError } from "@/lib/api/error";
import type { Breakpoint, Unbound } from "@/lib/api/breakpoints";

import { BreakpointForm } from "./breakpoint-form";
import { faultyField, partsOf } from "./breakpoint-words";
import styles from "./breakpoints.module.css";

interface BreakpointsPanelProps {
  breakpoints: Breakpoint[];
  unbound: readonly Unbound[];
  agents: readonly string[];
  tools: readonly string[];
  /** Id or name of the team whose past runs a new one is tried on. */
  team: string;
  /** What a new breakpoint begins as; its id is its own. */
  blank: () => Breakpoint;
  /** Begin with a new one open. */
  startNew?: boolean;
  /** How often each stopped or wrote in the run that is looked at. */
  hits?: ReadonlyMap<string, number>;
  onHit?: (id: string) => void;
  save: (breakpoints: Breakpoint[]) => Promise<void>;
}

/** The breakpoints of a team: switch, add, change, remove; each change is saved at once. */
export function BreakpointsPanel({ breakpoints, unbound, agents, tools, team, blank, startNew = false, hits, onHit, save }: BreakpointsPanelProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [editing, setEditing] = useState<Breakpoint | null>(() => (startNew ? blank() : null));
  const [saving, setSaving] = useState(false);
  const [refused, setRefused] = useState<Record<string, string>>({});
  const store = async (next: Breakpoint[], done?: () => void) => {
    setSaving(true);
    setRefused({});
    try {
      await save(next);
      done?.();
    } catch (error) {
      const { message } = errorText(error);
      if (done === undefined) toast({ text: message, mark: "error" });
      setRefused({ [faultyField(message, whereOf(error))]: message });
    } finally {
      setSaving(false);
    }
  };
  const put = (breakpoint: Breakpoint) => {
    const known = breakpoints.some(({ id }) => id === breakpoint.id);
    const next = known ? breakpoints.map((old) => (old.id === breakpoint.id ? breakpoint : old)) : [...breakpoints, breakpoint];
    void store(next, () => setEditing(null));
  };
  const remove = (breakpoint: Breakpoint) => {
    void store(breakpoints.filter(({ id }) => id !== breakpoint.id)).then(() =>
      toast({ text: t("debug.break.removed"), undo: () => void store(breakpoints) }),
    );
  };
  const form = (breakpoint: Breakpoint) => (
    <BreakpointForm
      key={breakpoint.id}
      start={breakpoint}
      agents={agents}
      tools={tools}
      team={team}
      saving={saving}
      refused={refused}
      onSave={put}
      onCancel={() => {
        setRefused({});
        setEditing(null);
      }}
    />
  );
  const isNew = editing !== null && !breakpoints.some(({ id }) => id === editing.id);
  return (
    <div className={styles["panel"]}>
      {isNew && form(editing)}
      {breakpoints.length === 0 && !isNew && (
        <EmptyState icon={<CircleDot />} title={t("debug.break.empty")} action={<Button kind="primary" icon={<Plus />} onClick={() => setEditing(blank())}>{t("debug.break.add")}</Button>}>
          {t("debug.break.empty_text")}
        </EmptyState>
      )}
      <ul className={styles["list"]}>
        {breakpoints.map((breakpoint) =>
          editing?.id === breakpoint.id ? (
            <li key={breakpoint.id}>{form(breakpoint)}</li>
          ) : (
            <Item
              key={breakpoint.id}
              breakpoint={breakpoint}
              unbound={unbound.filter(({ id }) => id === breakpoint.id)}
              hits={hits?.get(breakpoint.id) ?? 0}
              onHit={onHit}
              busy={saving}
              onSwitch={(enabled) => void store(breakpoints.map((old) => (old.id === breakpoint.id ? { ...old, enabled } : old)))}
              onEdit={() => setEditing(breakpoint)}
              onRemove={() => remove(breakpoint)}
            />
          ),
        )}
      </ul>
      {breakpoints.length > 0 && !isNew && <Button icon={<Plus />} className={styles["add"]} onClick={() => setEditing(blank())}>{t("debug.break.add")}</Button>}
    </div>
  );
}

interface ItemProps {
  breakpoint: Breakpoint;
  unbound: Unbound[];
  hits: number;
  onHit: ((id: string) => void) | undefined;
  busy: boolean;
  onSwitch: (enabled: boolean) => void;
  onEdit: () => void;
  onRemove: () => void;
}

function Item({ breakpoint, unbound, hits, onHit, busy, onSwitch, onEdit, onRemove }: ItemProps) {
  const { t } = useTranslation();
  const name = breakpoint.note === "" ? breakpoint.id : breakpoint.note;
  return (
    <li className={classNames(styles["item"], !breakpoint.enabled && styles["off"])}>
      <input
        type="checkbox"
        aria-label={t("debug.break.switch", { name })}
        checked={breakpoint.enabled}
        disabled={busy}
        onChange={(event) => onSwitch(event.target.checked)}
      />
      {breakpoint.log === "" ? <CircleDot size={14} className={styles["dot"]} aria-hidden /> : <MessageSquareText size={14} className={styles["log"]} aria-label={t("debug.break.logpoint")} />}
      <div className={styles["what"]}>
        <strong>{name}</strong>
        <p className={styles["parts"]}>
          {partsOf(breakpoint).map(({ name: part, text }) => (
            <span key={part + text} className={styles[part === "condition" || part === "log" ? "code" : "part"]}>{t(`debug.break.part.${part}`, { text: part === "when" || part === "stop_on" ? t(`debug.break.word.${text}`) : text })}</span>
          ))}
        </p>
        {unbound.map(({ message }) => (
          <p key={message} className={styles["unbound"]}><TriangleAlert size={12} aria-hidden /> {message}</p>
        ))}
      </div>
      {hits > 0 && (
        <button type="button" className={styles["hits"]} title={t("debug.break.to_hit")} onClick={() => onHit?.(breakpoint.id)}>
          {t("debug.break.hits", { count: hits })}
        </button>
      )}
      <IconButton label={t("debug.break.edit", { name })} onClick={onEdit}><Pencil size={14} /></IconButton>
      <IconButton label={t("debug.break.remove", { name })} disabled={busy} onClick={onRemove}><Trash2 size={14} /></IconButton>
    </li>
  );
}

function whereOf(error: unknown): string {
  const problems = error instanceof ApiError ? error.extra["problems"] : undefined;
  const first: unknown = Array.isArray(problems) ? problems[0] : undefined;
  return typeof first === "object" && first !== null && "where" in first ? String(first.where) : "";
}
