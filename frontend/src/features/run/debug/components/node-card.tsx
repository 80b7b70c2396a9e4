import { ChevronRight, LoaderCircle, Pencil } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { Badge } from "@/components/badge";
import { classNames } from "@/components/class-names";
import { duration } from "@/lib/format";

import { JsonView } from "../../details/json-view";
import { SeqLink } from "../../details/seq-link";
import { useRunPlace } from "../../model/run-context";
import { argumentsText } from "../../model/summary";
import type { NodeMessage, NodeState } from "../api/debug-api";
import { planOf } from "../model/plan";
import type { NodeNews } from "../model/state-diff";
import styles from "./state-panel.module.css";

interface NodeCardProps {
  node: NodeState;
  news: NodeNews;
  changedOnly: boolean;
  /** It did what happened at the playhead. */
  acting: boolean;
  /** UTC microseconds of the step. */
  at: number;
  seq: number;
}

/** One node: its phase, its open calls, its plan, the messages its model sees, its raw fields. */
export function NodeCard({ node, news, changedOnly, acting, at, seq }: NodeCardProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(true);
  const plan = planOf(useRunPlace().session.store, node.name, seq);
  const messages = changedOnly ? node.messages.filter((message) => news.messages.has(message.seq)) : node.messages;
  return (
    <section className={classNames(styles["node"], acting && styles["acting"], !node.present && styles["absent"])} aria-label={node.name}>
      <button type="button" className={styles["nodeHead"]} aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight size={14} className={open ? styles["turned"] : undefined} aria-hidden />
        <strong>{node.name}</strong>
        {node.role !== "" && node.role !== node.name && <span className={styles["soft"]}>{node.role}</span>}
        {!node.present && <span className={styles["soft"]}>{t("debug.state.absent")}</span>}
        <span className={styles["space"]} />
        {node.phase !== "" && <span className={classNames(styles["phase"], news.phase && styles["new"])}>{node.phase}</span>}
        <span className={styles["soft"]}>{t("debug.state.messages", { count: node.messages_total })}</span>
      </button>
      {open && (
        <div className={styles["nodeBody"]}>
          {node.open_calls.map((call) => (
            <p key={call.span} className={styles["openCall"]}>
              <LoaderCircle size={13} aria-hidden />
              <span className={styles["mono"]}>{call.kind}</span> {call.what} <SeqLink seq={call.span} />
              <span className={styles["soft"]}>{t("debug.state.since", { time: duration(Math.max(0, at - call.since)) })}</span>
            </p>
          ))}
          {plan !== null && (
            <details className={styles["plan"]} open>
              <summary>{t("debug.state.plan")} <SeqLink seq={plan.seq} /></summary>
              <ol>{plan.steps.map((step, index) => <li key={index}>{step}</li>)}</ol>
            </details>
          )}
          <Messages node={node} shown={messages} news={news} changedOnly={changedOnly} />
          <RawFields node={node} news={news} changedOnly={changedOnly} />
        </div>
      )}
    </section>
  );
}

const FEW = 12;

function Messages({ node, shown, news, changedOnly }: { node: NodeState; shown: NodeMessage[]; news: NodeNews; changedOnly: boolean }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const end = useRef<HTMLOListElement>(null);
  const last = shown.at(-1)?.seq;
  useEffect(() => {
    // The newest message is what a step adds; it stays in sight while one walks.
    const list = end.current;
    if (list !== null) list.scrollTop = list.scrollHeight;
  }, [last]);
  if (node.messages_total === 0) return null;
  const visible = all ? shown : shown.slice(-FEW);
  const hidden = node.messages_total - (changedOnly ? 0 : visible.length);
  return (
    <>
      {!changedOnly && hidden > 0 && (
        <p className={styles["more"]}>
          {t("debug.state.earlier", { count: hidden })}
          {!all && shown.length > FEW && <button type="button" onClick={() => setAll(true)}>{t("debug.state.show_all")}</button>}
        </p>
      )}
      {news.dropped > 0 && <p className={styles["more"]}>{t("debug.state.dropped", { count: news.dropped })}</p>}
      <ol ref={end} className={styles["messages"]}>
        {visible.map((message) => <Message key={message.seq} message={message} fresh={news.messages.has(message.seq)} />)}
      </ol>
    </>
  );
}

const LONG = 320;

function Message({ message, fresh }: { message: NodeMessage; fresh: boolean }) {
  const { t } = useTranslation();
  const [whole, setWhole] = useState(false);
  const long = message.content.length > LONG;
  return (
    <li className={classNames(styles["message"], styles[`role-${message.role}`], fresh && styles["new"])}>
      <header>
        <span className={styles["role"]}>{message.role}</span>
        <SeqLink seq={message.seq} />
        {fresh && <span className={styles["mark"]}>{t("debug.state.new")}</span>}
        {message.edited && <Badge family="person" icon={<Pencil aria-hidden />}>{t("debug.edited.badge")}</Badge>}
      </header>
      {message.content !== "" && (
        <p className={styles["content"]}>
          {long && !whole ? `${message.content.slice(0, LONG)} …` : message.content}
          {long && <button type="button" className={styles["fold"]} onClick={() => setWhole(!whole)}>{t(whole ? "debug.state.less" : "debug.state.whole")}</button>}
        </p>
      )}
      {(message.tool_calls ?? []).map((call, index) => (
        <code key={index} className={styles["call"]}>{`${String(call["name"])}(${argumentsText(call["arguments"] as Record<string, unknown> | null)})`}</code>
      ))}
    </li>
  );
}

function RawFields({ node, news, changedOnly }: { node: NodeState; news: NodeNews; changedOnly: boolean }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const fields = Object.entries(node.state).filter(([name]) => !changedOnly || news.fields.has(name));
  if (fields.length === 0) return null;
  const changed = [...news.fields];
  return (
    <details className={styles["raw"]} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {t("debug.state.fields", { count: fields.length })}
        {changed.length > 0 && <span className={styles["changed"]}>{t("debug.state.changed", { fields: changed.join(", ") })}</span>}
      </summary>
      {open && (
        <div className={styles["json"]}>
          <JsonView job={{ text: JSON.stringify(Object.fromEntries(fields)) }} />
        </div>
      )}
    </details>
  );
}
