/** What the tests use of packages that are not installed when types are checked. Each export is the class of a kind. */
declare module 'kubernetes-models/*' {
  const kinds: Readonly<Record<string, new (manifest: object) => { validate(): void }>>
  export = kinds
}
