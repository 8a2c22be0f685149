/**
 * A live view of volume4j in a process. {@link io.volume4j.ui.LiveView} serves it to browsers, and
 * {@link io.volume4j.ui.LiveTop} shows it in a terminal. Depends on the core's exported packages. No other module
 * depends on it.
 */
@NullMarked
package io.volume4j.ui;

import org.jspecify.annotations.NullMarked;
