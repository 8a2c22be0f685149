/**
 * The contracts of mount backends, plugins and clusters, as JUnit 5 classes to extend. JUnit is an optional
 * dependency of this module: a project that extends these classes must add it.
 *
 * <p>Depends on the SPI, the manifest codec, JUnit and the host fakes. Uses no plugin and no cluster, and a backend
 * only in {@code LinuxFixture}.
 */
package io.volume4j.inmemory.contract;
