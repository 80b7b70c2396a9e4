import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { tags } from "@lezer/highlight";
import { basicSetup, EditorView } from "codemirror";
import { useEffect, useRef } from "react";

import styles from "./yaml-editor.module.css";

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--family-model-text)" },
  { tag: [tags.string, tags.content], color: "var(--text)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--family-tool-text)" },
  { tag: tags.comment, color: "var(--text-faint)" },
  { tag: [tags.punctuation, tags.separator, tags.bracket], color: "var(--text-soft)" },
]);

interface YamlEditorProps {
  text: string;
  label: string;
  /** The line (from 1) that cannot be read, and why. */
  problem: { line: number; message: string } | null;
  onChange: (text: string) => void;
}

/** A YAML text with colours, undo, folding and search. */
export default function YamlEditor({ text, label, problem, onChange }: YamlEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const changed = useRef(onChange);
  const first = useRef({ text, label });
  useEffect(() => {
    changed.current = onChange;
  });

  useEffect(() => {
    if (place.current === null) return;
    const editor = new EditorView({
      doc: first.current.text,
      parent: place.current,
      extensions: [
        basicSetup,
        yaml(),
        lintGutter(),
        syntaxHighlighting(colours),
        EditorView.contentAttributes.of({ "aria-label": first.current.label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed.current(update.state.doc.toString());
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const { doc } = editor.state;
    const line = problem === null ? null : doc.line(Math.max(1, Math.min(problem.line, doc.lines)));
    editor.dispatch(
      setDiagnostics(editor.state, line === null || problem === null ? [] : [{ from: line.from, to: line.to, severity: "error", message: problem.message }]),
    );
  }, [problem, text]);

  return <div ref={place} className={styles["editor"]} />;
}
