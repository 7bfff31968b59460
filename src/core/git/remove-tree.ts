import {chmod, readdir, rm} from 'node:fs/promises'
import {join} from 'node:path'

/**
 * Removes a worktree's directory; links are removed and not followed. Its `.git` goes last, so that after a crash half-way
 * the rest can still be told to be a worktree and the removal be finished.
 */
export async function removeTree(path: string): Promise<void> {
  const names = await readdir(path).catch(ifAbsent([]))
  for (const name of names.filter(name => name !== '.git')) await removeAll(join(path, name))
  await removeAll(path)
}

async function removeAll(path: string): Promise<void> {
  try {
    await rm(path, {recursive: true, force: true})
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    // A directory without write permission (Go's module cache) keeps what is in it.
    await makeWritable(path)
    await rm(path, {recursive: true, force: true})
  }
}

async function makeWritable(path: string): Promise<void> {
  const children = await readdir(path, {withFileTypes: true}).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES') return ifAbsent([])(error)
    await chmod(path, 0o700)
    return await readdir(path, {withFileTypes: true})
  })
  await chmod(path, 0o700)
  for (const child of children) if (child.isDirectory()) await makeWritable(join(path, child.name))
}

function ifAbsent<T>(value: T) {
  return (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return value
    throw error
  }
}
