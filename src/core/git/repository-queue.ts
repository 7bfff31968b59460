const last = new Map<string, Promise<unknown>>()

/**
 * Runs `work` after all earlier work on the same repository (its common directory), whether that succeeded or not;
 * repositories do not wait for each other. Parallel `git worktree add` lose each other's locks: of 16 from a
 * remote-tracking base, 10 failed on config.lock (20-tasks.md §2).
 */
export async function inRepositoryOrder<T>(gitDir: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(gitDir)
  const mine = Promise.resolve(before).then(work, work)
  last.set(gitDir, mine)
  try {
    return await mine
  } finally {
    if (last.get(gitDir) === mine) last.delete(gitDir)
  }
}
