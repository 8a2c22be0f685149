/**
 * Events, metrics, timelines and answers to queries. Changes no state.
 *
 * <p>May depend on {@code node.state}, {@code node.desired}, {@code node.actual} and {@code node.view}.
 */
@NullMarked
package io.volume4j.core.node.report;

import org.jspecify.annotations.NullMarked;
