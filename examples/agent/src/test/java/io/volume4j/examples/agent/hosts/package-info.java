/** Several hosts on one machine, with faults between them: see {@link io.volume4j.examples.agent.hosts.SeveralHostsTest}. */
@NullMarked
package io.volume4j.examples.agent.hosts;

import org.jspecify.annotations.NullMarked;
