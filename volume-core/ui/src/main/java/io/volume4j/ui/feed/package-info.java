/**
 * What reconcilers tell the live view while they work: which keys they look at, which steps they take and how long each takes. Depends on
 * the SPI only. Written by event loops and workers without locks, read by the view.
 */
@NullMarked
package io.volume4j.ui.feed;

import org.jspecify.annotations.NullMarked;
