import { create } from "zustand";

type Overlay = "palette" | "help" | null;

interface Overlays {
  open: Overlay;
  showPalette: () => void;
  showHelp: () => void;
  close: () => void;
}

/** Which of the shell's overlays is open; one at most. */
export const useOverlays = create<Overlays>((set) => ({
  open: null,
  showPalette: () => set({ open: "palette" }),
  // After the palette has closed itself on choosing this.
  showHelp: () => queueMicrotask(() => set({ open: "help" })),
  close: () => set({ open: null }),
}));
