import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { classNames } from "@/components/class-names";
import { ErrorState, SkeletonRows } from "@/components/states";
import { CopyButton } from "@/components/values";

import { runApi, type PromptMessage } from "../api/run-api";
import { useRunPlace } from "../model/run-context";
import { argumentsText } from "../model/summary";
import styles from "./inspector.module.css";
import { SeqLink } from "./seq-link";

/** The prompt of a model call exactly as it was sent, message by message, each with where it came from. */
export function PromptView({ seq }: { seq: number }) {
  const { t } = useTranslation();
  const { session } = useRunPlace();
  const { data, error, refetch } = useQuery({
    queryKey: ["run", session.runId, "prompt", seq],
    queryFn: ({ signal }) => runApi.context(session.runId, seq, signal),
    staleTime: Infinity,
  });
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} compact />;
  if (data === undefined) return <SkeletonRows rows={6} height={64} />;
  return (
    <div className={styles["scroll"]}>
      {data.tools.length > 0 && (
        <details className={styles["tools"]}>
          <summary>{t("trace.prompt.tools", { count: data.tools.length })}</summary>
          <pre className={styles["code"]}>{JSON.stringify(data.tools, null, 2)}</pre>
        </details>
      )}
      <ol className={styles["chat"]}>
        {data.messages.map((message, index) => <Message key={index} message={message} />)}
      </ol>
    </div>
  );
}

function Message({ message }: { message: PromptMessage }) {
  return (
    <li className={classNames(styles["message"], styles[`role-${message.role}`])}>
      <header className={styles["messageHead"]}>
        <span className={styles["role"]}>{message.role}</span>
        {typeof message.from_seq === "number" && message.from_seq >= 0 && <SeqLink seq={message.from_seq} />}
        <CopyButton text={message.content} />
      </header>
      {message.content !== "" && <p className={styles["text"]}>{message.content}</p>}
      {(message.tool_calls ?? []).map((call, index) => <code key={index} className={styles["call"]}>{callText(call)}</code>)}
    </li>
  );
}

function callText(call: unknown): string {
  const { name, arguments: given } = call as { name?: string; arguments?: Record<string, unknown> | null };
  return `${name ?? "?"}(${argumentsText(given)})`;
}
