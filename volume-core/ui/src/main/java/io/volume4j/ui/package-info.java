/**
 * A live view of what volume4j does in a process: {@link io.volume4j.ui.LiveView} serves it to browsers, {@link
 * io.volume4j.ui.LiveTop} shows it in a terminal. Depends on the core's exported packages; no other module depends on it.
 */
@NullMarked
package io.volume4j.ui;

import org.jspecify.annotations.NullMarked;
