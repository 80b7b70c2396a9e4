import { memo, type ReactNode } from "react";

import styles from "./json-view.module.css";

const KEY = /^("(?:[^"\\]|\\.)*")(\s*:\s*)/;
const LITERAL = /^(?:true|false|null)\b/;
const NUMBER = /^-?\d/;

/** One line with its key and value in their colours. */
export const JsonLine = memo(function JsonLine({ text }: { text: string }) {
  const key = KEY.exec(text);
  const rest = key === null ? text : text.slice(key[0].length);
  return (
    <code className={styles["code"]}>
      {key !== null && (
        <>
          <span className={styles["key"]}>{key[1]}</span>
          {": "}
        </>
      )}
      {value(rest)}
    </code>
  );
});

function value(text: string): ReactNode {
  if (text.startsWith('"')) return <span className={styles["string"]}>{text}</span>;
  if (LITERAL.test(text) || NUMBER.test(text)) return <span className={styles["number"]}>{text}</span>;
  return text;
}
