/** The flags that every verb takes, before or after it. */
export const globalFlags = [
  {flag: '--output-format', short: null, value: 'text|json|stream-json', help: 'how to print the answer'},
  {flag: '--json', short: null, value: null, help: 'the same as --output-format json'},
  {flag: '--no-launch', short: null, value: null, help: 'exit 4 instead of starting the daemon'},
  {flag: '--help', short: '-h', value: null, help: 'show help and do nothing'},
] as const
