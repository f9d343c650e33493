// As much of jsdom's types as the tests need: its published ones would put a browser's globals into every file of this repository.
declare module 'jsdom' {
  /** An element of a page. */
  export interface PageElement {
    readonly tagName: string;
    readonly children: Iterable<PageElement>;
    readonly id: string;
    hidden: boolean;
    checked: boolean;
    open: boolean;
    value: string;
    textContent: string;
    getAttribute(name: string): string | null;
    getAttributeNames(): string[];
    querySelector(selector: string): PageElement | null;
    querySelectorAll(selector: string): readonly PageElement[];
    closest(selector: string): PageElement | null;
    click(): void;
    scrollIntoView(): void;
    dispatchEvent(event: object): boolean;
  }
  export interface PageDocument extends PageElement {
    readonly documentElement: PageElement;
    readonly body: PageElement;
  }
  interface PageWindow {
    readonly Element: { readonly prototype: object };
  }
  export class JSDOM {
    constructor(
      text: string,
      how?: { runScripts?: 'dangerously'; url?: string; beforeParse?(window: PageWindow): void },
    );
    readonly window: {
      readonly document: PageDocument;
      readonly DOMParser: new () => { parseFromString(text: string, type: string): PageDocument };
      readonly Event: new (type: string, options?: object) => object;
      readonly location: { hash: string };
      readonly broken?: unknown;
      close(): void;
    };
  }
}
