import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "@/components/button";
import { Input, Textarea } from "@/components/field";
import type { Approval } from "@/generated/events";

import { argumentLines, readArguments } from "../model/approval";
import styles from "./approval-form.module.css";

interface ApprovalFormProps {
  approval: Approval;
  /** Whether the answer can hold for the rest of the run. */
  canAlways: boolean;
  disabled: boolean;
  onAnswer: (answer: string) => void;
}

/** What is to be allowed, readable, and what may be said to it. */
export function ApprovalForm({ approval, canAlways, disabled, onAnswer }: ApprovalFormProps) {
  const { t } = useTranslation();
  const [written, setWritten] = useState<string | null>(null);
  const [reason, setReason] = useState("");
  const given = approval.arguments ?? {};
  const rules = (approval.rules ?? []).join(", ");
  const changed = written === null ? null : readArguments(written);
  const canChange = (approval.tool ?? "") !== "" && approval.stage !== "after";
  return (
    <>
      {written === null ? (
        <dl className={styles["arguments"]} aria-label={t("debug.approval.arguments")}>
          {argumentLines(given).map(({ name, text }) => (
            <div key={name} className={styles["argument"]}>
              <dt>{name}</dt>
              <dd><pre>{text}</pre></dd>
            </div>
          ))}
        </dl>
      ) : (
        <>
          <Textarea mono rows={6} aria-label={t("debug.approval.arguments")} value={written} onChange={(event) => setWritten(event.target.value)} />
          {changed?.problem !== undefined && <p className={styles["problem"]}>✖ {t("debug.approval.no_json", { why: changed.problem })}</p>}
        </>
      )}
      <form
        className={styles["commands"]}
        onSubmit={(submit) => {
          submit.preventDefault();
          onAnswer(reason.trim() === "" ? "deny" : `deny: ${reason.trim()}`);
        }}
      >
        {changed === null ? (
          <>
            <Button kind="primary" disabled={disabled} onClick={() => onAnswer("allow")}>{t("debug.approval.allow")}</Button>
            {canAlways && (
              <Button disabled={disabled} title={t("debug.approval.always_means", { rules })} onClick={() => onAnswer("allow always")}>{t("debug.approval.always")}</Button>
            )}
            {canChange && <Button disabled={disabled} onClick={() => setWritten(JSON.stringify(given, null, 2))}>{t("debug.approval.change")}</Button>}
          </>
        ) : (
          <>
            <Button
              kind="primary"
              disabled={disabled || changed.values === undefined}
              onClick={() => onAnswer(`allow with ${JSON.stringify(changed.values)}`)}
            >
              {t("debug.approval.changed")}
            </Button>
            <Button onClick={() => setWritten(null)}>{t("debug.approval.undo")}</Button>
          </>
        )}
        <span className={styles["deny"]}>
          <Input aria-label={t("debug.approval.reason")} placeholder={t("debug.approval.reason")} value={reason} onChange={(event) => setReason(event.target.value)} />
          <Button type="submit" kind="danger" disabled={disabled}>{t("debug.approval.deny")}</Button>
        </span>
      </form>
    </>
  );
}
