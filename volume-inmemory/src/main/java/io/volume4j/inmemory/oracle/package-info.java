/**
 * What the fakes report when they were asked for something that no caller may ever do. Depends on nothing.
 */
package io.volume4j.inmemory.oracle;
