/**
 * The reports of reconcilers to the live view: the keys that they examine, their steps, and the durations. Depends on
 * the SPI only. Event loops and workers write it without locks; the view reads it.
 */
@NullMarked
package io.volume4j.ui.feed;

import org.jspecify.annotations.NullMarked;
