/** What is known of a command without importing it; written to `manifest.json` by the build. */
export interface Entry {
  id: string
  plugin: string
  /** Relative to the registry's root. */
  file: string
  summary: string
  /** Further spellings, as CLI words (`ls`, `logs`). */
  aliases: string[]
  /** A plain oclif command: runs in the client, never in the daemon. */
  local: boolean
}
