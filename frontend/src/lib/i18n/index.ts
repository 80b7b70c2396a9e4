/**
 * Every word of the interface. `en/<area>.json` and `zh/<area>.json` hold flat keys that begin
 * with `<area>.`; a new area is two new files. A test keeps both languages complete.
 */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";

import { remember, remembered } from "../storage";

export const LANGUAGES = ["en", "zh"] as const;
export type Language = (typeof LANGUAGES)[number];

type Dictionary = Record<string, string>;

const english = import.meta.glob<Dictionary>("./en/*.json", { eager: true, import: "default" });
const chinese = import.meta.glob<Dictionary>("./zh/*.json", { eager: true, import: "default" });

export const dictionaries: Record<Language, Dictionary> = {
  en: Object.assign({}, ...Object.values(english)) as Dictionary,
  zh: Object.assign({}, ...Object.values(chinese)) as Dictionary,
};

function isLanguage(value: unknown): value is Language {
  return value === "en" || value === "zh";
}

/** The remembered language, else the browser's. */
export function startLanguage(browser: string = navigator.language): Language {
  return remembered<Language>("language", browser.startsWith("zh") ? "zh" : "en", isLanguage);
}

const i18n = i18next.createInstance();

void i18n.use(initReactI18next).init({
  lng: startLanguage(),
  fallbackLng: "en",
  resources: {
    en: { translation: dictionaries.en },
    zh: { translation: dictionaries.zh },
  },
  keySeparator: false,
  nsSeparator: false,
  initAsync: false,
  interpolation: { escapeValue: false },
});
applyLanguage(i18n.language);

function applyLanguage(language: string): void {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
}

/** Changes every string at once, and remembers it. */
export async function setLanguage(language: Language): Promise<void> {
  remember("language", language);
  await i18n.changeLanguage(language);
  applyLanguage(language);
}

export default i18n;
