export interface Migration {
  /** `user_version` of the file afterwards; rising by one. */
  readonly version: number
  readonly sql: string
}

/** Every format of the state file, oldest first. A step that was once released is never edited. */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE projects (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        name_key TEXT NOT NULL,
        root TEXT NOT NULL UNIQUE,
        git_dir TEXT NOT NULL,
        base TEXT,
        tasks_path TEXT,
        created_at INTEGER NOT NULL,
        -- Kept when removed, for the archived tasks that belong to it.
        removed_at INTEGER
      ) STRICT;
      CREATE UNIQUE INDEX projects_by_name ON projects (name_key) WHERE removed_at IS NULL;

      CREATE TABLE tasks (
        id TEXT PRIMARY KEY,
        project_id TEXT NOT NULL REFERENCES projects (id),
        name TEXT NOT NULL,
        name_key TEXT NOT NULL,
        life TEXT NOT NULL CHECK (life IN ('creating', 'live', 'archiving', 'archived')),
        branch TEXT NOT NULL,
        branch_created INTEGER NOT NULL,
        base TEXT NOT NULL,
        base_ref TEXT,
        base_commit TEXT NOT NULL,
        path TEXT NOT NULL,
        git_dir TEXT NOT NULL,
        agent TEXT NOT NULL,
        started_by TEXT NOT NULL,
        parent_id TEXT REFERENCES tasks (id) ON DELETE SET NULL,
        env TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        archived_at INTEGER
      ) STRICT;
      CREATE UNIQUE INDEX tasks_by_name ON tasks (project_id, name_key) WHERE life != 'archived';
      CREATE UNIQUE INDEX tasks_by_path ON tasks (path) WHERE life != 'archived';
      CREATE INDEX tasks_by_parent ON tasks (parent_id) WHERE parent_id IS NOT NULL;

      CREATE TABLE tabs (
        id TEXT PRIMARY KEY,
        task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
        title TEXT NOT NULL,
        position INTEGER NOT NULL,
        is_default INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        closed_at INTEGER
      ) STRICT;
      CREATE INDEX tabs_by_task ON tabs (task_id, position);
      CREATE UNIQUE INDEX tabs_default ON tabs (task_id) WHERE is_default = 1 AND closed_at IS NULL;

      CREATE TABLE panes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
        tab_id TEXT NOT NULL REFERENCES tabs (id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('agent', 'shell', 'command', 'browser')),
        agent TEXT,
        argv TEXT NOT NULL,
        cwd TEXT NOT NULL,
        nonce TEXT,
        started_by TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        state TEXT NOT NULL,
        journal_seq INTEGER NOT NULL DEFAULT 0,
        reader_state TEXT,
        exited TEXT,
        lost_at INTEGER,
        closed_at INTEGER
      ) STRICT;
      CREATE INDEX panes_by_task ON panes (task_id);
      CREATE INDEX panes_by_tab ON panes (tab_id);
      CREATE INDEX panes_running ON panes (id) WHERE exited IS NULL AND lost_at IS NULL;

      CREATE TABLE deliveries (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
        pane_id INTEGER NOT NULL REFERENCES panes (id) ON DELETE CASCADE,
        text TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('queued', 'written', 'submitted', 'started', 'settled', 'failed')),
        attempt INTEGER NOT NULL,
        reason TEXT,
        detail TEXT,
        exit_code INTEGER,
        confirmed TEXT NOT NULL CHECK (confirmed IN ('exact', 'echo', 'no')),
        created_by TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        written_at INTEGER,
        submitted_at INTEGER,
        started_at INTEGER,
        settled_at INTEGER,
        route TEXT NOT NULL,
        -- Bookkeeping of the delivery table, JSON.
        progress TEXT
      ) STRICT;
      CREATE INDEX deliveries_open ON deliveries (pane_id, seq) WHERE state NOT IN ('settled', 'failed');
      CREATE INDEX deliveries_by_task ON deliveries (task_id, seq);
      CREATE INDEX deliveries_by_pane ON deliveries (pane_id, seq);

      CREATE TABLE commands (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        pane_id INTEGER NOT NULL REFERENCES panes (id) ON DELETE CASCADE,
        delivery_id TEXT REFERENCES deliveries (id) ON DELETE CASCADE,
        command TEXT NOT NULL,
        cwd TEXT,
        exit_code INTEGER,
        started_at INTEGER NOT NULL,
        ended_at INTEGER,
        start_offset INTEGER NOT NULL,
        end_offset INTEGER
      ) STRICT;
      CREATE INDEX commands_by_pane ON commands (pane_id, id);
      CREATE INDEX commands_by_delivery ON commands (delivery_id) WHERE delivery_id IS NOT NULL;

      CREATE TABLE events (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        type TEXT NOT NULL,
        task_id TEXT NOT NULL,
        pane_id INTEGER,
        data TEXT NOT NULL
      ) STRICT;
    `,
  },
]
