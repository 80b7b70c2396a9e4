/** Deleting with an undo: hidden at once, done when the toast has gone. */
import { create } from "zustand";

import { toast } from "./toast";

interface Hidden {
  ids: ReadonlySet<string>;
}

const useHiddenStore = create<Hidden>(() => ({ ids: new Set() }));

function hide(id: string, hidden: boolean): void {
  useHiddenStore.setState(({ ids }) => {
    const next = new Set(ids);
    if (hidden) next.add(id);
    else next.delete(id);
    return { ids: next };
  });
}

/** Ids that are deleted on the screen and not yet, or just now, on the server. */
export function useHidden(): ReadonlySet<string> {
  return useHiddenStore((state) => state.ids);
}

interface UndoableDelete {
  id: string;
  /** What the toast says, such as `Deleted 'arithmetic'`. */
  text: string;
  remove: () => Promise<unknown>;
  /** Says why it could not be deleted; the thing is shown again. */
  onFailure: (error: unknown) => string;
}

/** Hides the thing now and removes it when the undo has passed. */
export function undoableDelete({ id, text, remove, onFailure }: UndoableDelete): void {
  hide(id, true);
  toast({
    text,
    undo: () => hide(id, false),
    onGone: () => {
      remove().catch((error: unknown) => {
        hide(id, false);
        toast({ text: onFailure(error), mark: "error" });
      });
    },
  });
}
