package io.volume4j.ui.act;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Something that an operator may do.
 *
 * @param name as the page and the audit log call it
 * @param subject what it is done to, with all that the audit log must tell of it
 * @param meaning what will happen, in whole sentences
 * @param doing does it; completes with what came of it
 */
public record Action(String name, String subject, String meaning, Supplier<CompletableFuture<String>> doing) {}
