import { useRef, useState, type ReactNode } from "react";

import { classNames } from "@/components/class-names";

import styles from "./drop-zone.module.css";

/** A place to drop a file on, or to press and choose one. */
export function DropZone({ onFile, accept, children }: { onFile: (file: File) => void; accept: string; children: ReactNode }) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  return (
    <>
      <button
        type="button"
        className={classNames(styles["zone"], over && styles["over"])}
        onClick={() => input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const [file] = event.dataTransfer.files;
          if (file !== undefined) onFile(file);
        }}
      >
        {children}
      </button>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file !== undefined) onFile(file);
        }}
      />
    </>
  );
}
