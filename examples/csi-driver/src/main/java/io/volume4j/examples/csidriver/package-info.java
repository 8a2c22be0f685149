/** The test driver's runnable jar. */
@NullMarked
package io.volume4j.examples.csidriver;

import org.jspecify.annotations.NullMarked;
