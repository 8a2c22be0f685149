package io.volume4j.ui.act;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * An action of an operator.
 *
 * @param name on the page and in the audit log
 * @param subject the object of the action, with all details for the audit log
 * @param meaning the effect, in complete sentences
 * @param doing performs the action; completes with its result
 */
public record Action(String name, String subject, String meaning, Supplier<CompletableFuture<String>> doing) {}
