package io.volume4j.ui.watch;

import io.volume4j.ui.rows.RowTable;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * The receiver of readings.
 *
 * @param executor the one thread that changes the table; it converts readings to rows, so that no event loop does it
 * @param clock for the times of next attempts
 */
public record Shown(RowTable rows, Executor executor, InstantSource clock) {}
