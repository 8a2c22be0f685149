package io.volume4j.core.engine;

import io.volume4j.spi.VolumeException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Asks through calls that change nothing, for a caller that wants to know something. They hold no conflict key: what is to be done
 * to a volume never waits for a question. A caller that asks while the same is being asked gets that answer.
 *
 * <p>An answer takes at most the call's deadline, also if the call waits for its turn so long. A call that hangs goes on
 * counting as the question's: the same is not asked again until its thread returns, and a lane in which too many hang is not
 * asked at all, so that they never take the threads that work needs.
 *
 * <p>Loop thread only; answers come on the loop, also from within.
 */
public final class Questions<K> {
    /** Of one lane: far below what {@link OperationExecutor.Limits} lets a lane have. */
    private static final int MOST_HANGING = 16;

    private final EventLoop loop;
    private final OperationExecutor executor;
    private final String idPrefix;
    private final Map<K, Question> open = new LinkedHashMap<>();
    private long asked;

    /** @param idPrefix what the ids of the calls begin with; different for every start of the owner */
    public Questions(EventLoop loop, OperationExecutor executor, String idPrefix) {
        this.loop = loop;
        this.executor = executor;
        this.idPrefix = idPrefix;
    }

    /**
     * Asks, unless the same is being asked.
     *
     * @param key what is asked
     * @param about of what the call depends, for {@link #withdraw}
     * @param answer called once with the outcome
     */
    public void ask(K key, String about, Supplier<Call> call, Consumer<Outcome> answer) {
        Question there = open.get(key);
        if (there != null) {
            if (there.answered) {
                answer.accept(Outcome.failure(VolumeException.transientFailure(
                                there.call.lane() + " has not answered yet what it was asked before")
                        .withAdvice("it is asked again when that call returns")));
            } else {
                there.answers.add(answer);
            }
            return;
        }
        Call made = call.get();
        long hanging = open.values().stream()
                .filter(question -> question.answered && question.call.lane().equals(made.lane()))
                .count();
        if (hanging >= MOST_HANGING) {
            answer.accept(Outcome.failure(VolumeException.transientFailure(hanging + " questions to " + made.lane()
                            + " have not been answered; no more are asked until one is")
                    .withAdvice("its storage may not answer at all")));
            return;
        }
        Question question = new Question(key, about, idPrefix + ++asked, made);
        question.answers.add(answer);
        open.put(key, question);
        question.alarm = loop.schedule(made.deadline(), () -> tooLate(question));
        executor.submit(question.id, 1, made, message -> {}, question);
    }

    /** What the call depends on ends: it is asked to end, and its callers are told at once. */
    public void withdraw(K key, String about) {
        Question question = open.get(key);
        if (question != null && !question.answered && question.about.equals(about)) {
            question.answer(Outcome.failure(
                    VolumeException.transientFailure("not answered, because it is being taken down meanwhile")));
            executor.cancel(question.id);
        }
    }

    /** Refuses waiting callers. The executor is closed by its owner. */
    public void close(Supplier<VolumeException> refusal) {
        for (Question question : new ArrayList<>(open.values())) {
            question.answer(Outcome.failure(refusal.get()));
        }
    }

    /** How many are open, those that hang included. */
    int size() {
        return open.size();
    }

    private void tooLate(Question question) {
        question.answer(Outcome.failure(VolumeException.uncertain(question.call.lane() + " did not answer within "
                + question.call.deadline().toMillis() + " ms")));
        executor.cancel(question.id);
    }

    private final class Question implements OperationExecutor.Reports {
        private final K key;
        private final String about;
        private final String id;
        private final Call call;
        private final List<Consumer<Outcome>> answers = new ArrayList<>();
        private EventLoop.Timer alarm = () -> {};
        private boolean answered;

        Question(K key, String about, String id, Call call) {
            this.key = key;
            this.about = about;
            this.id = id;
            this.call = call;
        }

        @Override
        public void ended(Outcome outcome) {
            answer(outcome);
        }

        @Override
        public void returned() {
            open.remove(key, this);
        }

        void answer(Outcome outcome) {
            if (answered) {
                return;
            }
            answered = true;
            alarm.cancel();
            List<Consumer<Outcome>> waiting = new ArrayList<>(answers);
            answers.clear();
            waiting.forEach(each -> each.accept(outcome));
        }
    }
}
