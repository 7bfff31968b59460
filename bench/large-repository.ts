import type {PrivateTermic} from '../test/fixtures/termic.ts'

export const largeRepositoryFiles = 5_000

/** A repository of files like sources: 50 directories, a kilobyte each. */
export async function largeRepository(termic: PrivateTermic): Promise<string> {
  const files = Array.from({length: largeRepositoryFiles}, (_, index) => [
    `d${index % 50}/f${index}.ts`,
    `line ${index}\n`.repeat(80),
  ])
  return (await termic.repository({path: 'large', files: Object.fromEntries(files)})).path
}
