/** Loads the dictionaries in English for every test. */
import i18n from ".";

await i18n.changeLanguage("en");
