package io.volume4j.ui.watch;

import io.volume4j.ui.rows.RowTable;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * Where readings go.
 *
 * @param executor makes rows of readings, so that no event loop does
 * @param clock for the times of next tries
 */
public record Shown(RowTable rows, Executor executor, InstantSource clock) {}
