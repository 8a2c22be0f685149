package io.volume4j.spi.host;

import io.volume4j.spi.VolumeException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets a host observe the library's work, for traces, recordings and the context of log lines. Every method does
 * nothing by default. Implementations are thread-safe and return at once. The library logs the first exception that
 * an implementation throws, and ignores the others.
 *
 * @since 0.1.0
 */
public interface Instrumentation {
    /**
     * A step begins. Called on the event loop.
     *
     * @return receives the later events of this step
     */
    default Step step(StepStart start) {
        return Step.none();
    }

    /**
     * The planner is about to decide the next step for a key. Called on the event loop each time that the library
     * examines a volume or an object.
     *
     * @param key such as a volume; {@code toString()} names it
     * @return a scope that the library closes after the decision, on the same thread
     */
    default Scope plan(Object key) {
        return Scope.none();
    }

    /**
     * The journal is about to write a group of records durably. Called on the journal's thread.
     *
     * @return a scope that the library closes when the disk has answered, on the same thread
     */
    default Scope journalSync() {
        return Scope.none();
    }

    /**
     * A step that begins. The suppliers compute their texts on each call; call them on the event loop only.
     *
     * @param operation its id, which log lines and the environment of executed tools contain too
     * @param kind such as {@code MOUNT} or {@code PROVISION}
     * @param attempt from 1, counting the tries since the step last succeeded
     * @param key the subject of the step: {@code toString()} names a volume of a node, or an object of the cluster
     * @param story a text that all steps of one volume share, from its claim to its mounts, in every process. It is
     *     the name of the PersistentVolume if there is one or will be one
     * @param description for people
     */
    record StepStart(
            String operation,
            String kind,
            int attempt,
            Object key,
            Supplier<String> story,
            Supplier<String> description) {
        /** A builder for a first try, without texts. */
        public static Builder builder(String operation, String kind, Object key) {
            return new Builder(operation, kind, key);
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder(operation, kind, key);
            builder.attempt = attempt;
            builder.story = story;
            builder.description = description;
            return builder;
        }

        /** Builds a {@link StepStart}. Fields that later versions add have defaults here. Not thread-safe. */
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
         * The step ended. Called once, on the event loop. A call that missed its deadline, or did not return before its
         * manager or controller was closed or stopped leading, may still be running.
         *
         * @param failure null if it succeeded
         */
        default void ended(@Nullable VolumeException failure) {}

        /** Does nothing. */
        static Step none() {
            return Nothing.INSTANCE;
        }
    }

    /** Work that one thread begins and ends. */
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

    /** Calls each of these in turn. Closes the scopes that they return in the opposite order. */
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
