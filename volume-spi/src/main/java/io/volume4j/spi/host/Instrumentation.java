package io.volume4j.spi.host;

import io.volume4j.spi.VolumeException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The library's work as it happens, for a host to observe: for traces, recordings and the context of log lines. Every method does
 * nothing by default. Implementations are thread-safe and return at once; what they throw is logged once and otherwise ignored.
 *
 * @since 0.1.0
 */
public interface Instrumentation {
    /**
     * A step begins. Called on the event loop.
     *
     * @return gets the rest of it
     */
    default Step step(StepStart start) {
        return Step.none();
    }

    /**
     * What is to be done about a key is about to be decided; called on the event loop for every look at a volume or an object.
     *
     * @param key such as a volume; {@code toString()} names it
     * @return closed when it is decided, on the same thread
     */
    default Scope plan(Object key) {
        return Scope.none();
    }

    /**
     * A group of the journal's records is about to be made durable; called on the journal's thread.
     *
     * @return closed when the disk has answered, on the same thread
     */
    default Scope journalSync() {
        return Scope.none();
    }

    /**
     * A step that begins. The texts are made when they are asked for, on the event loop.
     *
     * @param operation its id, which log lines and executed tools carry too
     * @param kind such as {@code MOUNT} or {@code PROVISION}
     * @param attempt from 1, counting the tries since the step last succeeded
     * @param key what it is about: {@code toString()} names a volume of a node, or an object of the cluster
     * @param story what the steps of a volume have in common, from its claim to its mounts: the name of the PersistentVolume
     *     where there is one or is to be one; the same in every process
     * @param description for people
     */
    record StepStart(
            String operation,
            String kind,
            int attempt,
            Object key,
            Supplier<String> story,
            Supplier<String> description) {
        /** A first try, without texts. */
        public static Builder builder(String operation, String kind, Object key) {
            return new Builder(operation, kind, key);
        }

        /** A builder that holds what this holds. */
        public Builder toBuilder() {
            Builder builder = new Builder(operation, kind, key);
            builder.attempt = attempt;
            builder.story = story;
            builder.description = description;
            return builder;
        }

        /** Collects the parts of a {@link StepStart}; fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private String operation;
            private String kind;
            private int attempt = 1;
            private Object key;
            private Supplier<String> story = () -> "";
            private Supplier<String> description = () -> "";

            private Builder(String operation, String kind, Object key) {
                this.operation = operation;
                this.kind = kind;
                this.key = key;
            }

            public Builder operation(String value) {
                operation = value;
                return this;
            }

            public Builder kind(String value) {
                kind = value;
                return this;
            }

            public Builder attempt(int value) {
                attempt = value;
                return this;
            }

            public Builder key(Object value) {
                key = value;
                return this;
            }

            public Builder story(Supplier<String> value) {
                story = value;
                return this;
            }

            public Builder description(Supplier<String> value) {
                description = value;
                return this;
            }

            public StepStart build() {
                return new StepStart(operation, kind, attempt, key, story, description);
            }
        }
    }

    /** A step from its beginning to its end. */
    interface Step {
        /** Its call begins, on a worker; closed when the call returns, on the same thread. Not called if there is no call. */
        default Scope call() {
            return Scope.none();
        }

        /**
         * The step ended; called once, on the event loop. A call that missed its deadline may still run.
         *
         * @param failure null if it succeeded
         */
        default void ended(@Nullable VolumeException failure) {}

        /** Does nothing. */
        static Step none() {
            return Nothing.INSTANCE;
        }
    }

    /** A stretch of work of one thread. */
    @FunctionalInterface
    interface Scope extends AutoCloseable {
        @Override
        void close();

        /** Does nothing. */
        static Scope none() {
            return Nothing.INSTANCE;
        }
    }

    /** Does nothing. */
    static Instrumentation none() {
        return Nothing.INSTANCE;
    }

    /** Each of these in turn; what they return is closed in the opposite order. */
    static Instrumentation all(List<Instrumentation> each) {
        return switch (each.size()) {
            case 0 -> none();
            case 1 -> each.get(0);
            default -> new Several(each);
        };
    }

    /** Does nothing, in all three forms. */
    enum Nothing implements Instrumentation, Step, Scope {
        INSTANCE;

        @Override
        public void close() {}
    }

    /**
     * Several as one.
     *
     * @param each at least one
     */
    record Several(List<Instrumentation> each) implements Instrumentation {
        public Several {
            each = List.copyOf(each);
        }

        @Override
        public Step step(StepStart start) {
            List<Step> steps = new ArrayList<>(each.size());
            each.forEach(one -> steps.add(one.step(start)));
            return new Step() {
                @Override
                public Scope call() {
                    List<Scope> scopes = new ArrayList<>(steps.size());
                    steps.forEach(step -> scopes.add(step.call()));
                    return closing(scopes);
                }

                @Override
                public void ended(@Nullable VolumeException failure) {
                    steps.forEach(step -> step.ended(failure));
                }
            };
        }

        @Override
        public Scope plan(Object key) {
            List<Scope> scopes = new ArrayList<>(each.size());
            each.forEach(one -> scopes.add(one.plan(key)));
            return closing(scopes);
        }

        @Override
        public Scope journalSync() {
            List<Scope> scopes = new ArrayList<>(each.size());
            each.forEach(one -> scopes.add(one.journalSync()));
            return closing(scopes);
        }

        private static Scope closing(List<Scope> scopes) {
            return () -> {
                for (int i = scopes.size() - 1; i >= 0; i--) {
                    scopes.get(i).close();
                }
            };
        }
    }
}
