import { describe, expect, it } from "vitest";

import { GROUPS, groupCount, isFiltered, readFilters, toQuery, withFilter } from "./filters";

const search = (text: string) => new URLSearchParams(text);

describe("the filters in the address", () => {
  it("default to all runs, failures first", () => {
    expect(readFilters(search(""))).toEqual({ status: "", team: "", source: "", tool: "", tag: "", text: "", errors: false, order: "failures_first", page: 1 });
  });

  it("take the remembered order where the address names none, and the address's where it does", () => {
    expect(readFilters(search(""), "newest").order).toBe("newest");
    expect(readFilters(search("order=oldest"), "newest").order).toBe("oldest");
  });

  it("ignore an unknown order and a page that is no number", () => {
    expect(readFilters(search("order=random&page=-3"))).toMatchObject({ order: "failures_first", page: 1 });
  });

  it("go back to the first page when a filter changes", () => {
    expect(withFilter(search("page=4&team=a"), { team: "b" }).toString()).toBe("team=b");
  });

  it("leave out what is empty", () => {
    expect(withFilter(search("text=x&errors=1"), { text: "", errors: false }).toString()).toBe("");
  });

  it("keep the others when a page is turned", () => {
    expect(withFilter(search("team=a"), { page: 2 }).toString()).toBe("team=a&page=2");
  });

  it("become a limit and an offset for the server", () => {
    expect(toQuery(readFilters(search("page=3&errors=1")))).toMatchObject({ limit: 50, offset: 100, errors: true });
  });

  it("count the order as no filter", () => {
    expect(isFiltered(readFilters(search("order=newest")))).toBe(false);
    expect(isFiltered(readFilters(search("errors=1")))).toBe(true);
    expect(isFiltered(readFilters(search("tag=suite:sites")))).toBe(true);
  });
});

describe("a chip's count", () => {
  it("sums its statuses", () => {
    const failures = GROUPS.find((group) => group.name === "failures");
    expect(failures && groupCount(failures, { failed: 2, lost: 1, running: 5 })).toBe(3);
  });

  it("is everything for all", () => {
    expect(groupCount({ name: "all", statuses: [] }, { failed: 2, queued: 3 })).toBe(5);
  });
});
