/**
 * Volumes that are filled before their claims get them, from objects that no plugin knows. Pure functions and the words they use;
 * {@code io.volume4j.core.control.run} carries the plans out.
 */
package io.volume4j.core.control.populate;
