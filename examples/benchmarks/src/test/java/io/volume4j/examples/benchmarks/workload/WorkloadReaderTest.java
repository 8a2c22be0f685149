package io.volume4j.examples.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadReaderTest {
    private static final String HEADER =
            "{\"format\":\"volume4j-workload\",\"version\":1,\"seed\":3,\"backendNanos\":20}\n";

    @Test
    void readsWhatWasWritten() {
        WorkloadOptions options = new WorkloadOptions(3, 50, 2, 3, 0, 1_000, 1_000_000, 20, 0.5, 1_000);
        StringWriter text = new StringWriter();
        WorkloadWriter writer = new WorkloadWriter(text);
        List<Operation> written = new ArrayList<>();
        writer.header(new WorkloadHeader(options.seed(), options.backendNanos()));
        new Generator(options).generate(line -> {
            written.add(line);
            writer.operation(line);
        });

        WorkloadReader reader = new WorkloadReader(new StringReader(text.toString()));
        List<Operation> read = new ArrayList<>();
        for (List<Operation> pod = reader.nextPod(); !pod.isEmpty(); pod = reader.nextPod()) {
            assertThat(pod).hasSize(2);
            read.addAll(pod);
        }

        assertThat(reader.header()).isEqualTo(new WorkloadHeader(3, 20));
        assertThat(read).isEqualTo(written);
    }

    @Test
    void passesOverEmptyLinesAndFieldsThatItDoesNotKnow() {
        WorkloadReader reader = new WorkloadReader(
                new StringReader(
                        HEADER
                                + "\n{\"time\":1,\"operation\":\"mount\",\"pod\":\"p\",\"volume\":\"v\",\"node\":\"n\",\"later\":1}\n"));

        assertThat(reader.nextPod()).containsExactly(new Operation(1, Operation.Kind.MOUNT, "p", "v", "n", null));
        assertThat(reader.nextPod()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"time":-1,"operation":"mount","pod":"p","volume":"v","node":"n"}    | line 2: 'time'
                    {"time":1.5,"operation":"mount","pod":"p","volume":"v","node":"n"}   | line 2: 'time'
                    {"time":1,"operation":"eat","pod":"p","volume":"v","node":"n"}       | line 2: there is no operation 'eat'
                    {"time":1,"operation":"mount","volume":"v","node":"n"}               | line 2: 'pod'
                    {"time":1,"operation":"mount","pod":"p","volume":"v","node":"n","fault":{"kind":"fire"}} | no fault 'fire'
                    {"time":1,                                                           | line 2: not JSON
                    {"time":1} {"time":2}                                                | line 2: not JSON
                    """)
    void saysInWhichLineSomethingIsWrong(String line, String message) {
        assertThatThrownBy(() -> new WorkloadReader(new StringReader(HEADER + line + "\n")))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining(message);
    }

    @Test
    void timeDoesNotGoBack() {
        String line = "{\"time\":%d,\"operation\":\"mount\",\"pod\":\"p%d\",\"volume\":\"v\",\"node\":\"n\"}\n";
        WorkloadReader reader =
                new WorkloadReader(new StringReader(HEADER + String.format(line, 5, 1) + String.format(line, 4, 2)));

        assertThatThrownBy(reader::nextPod).hasMessageContaining("line 3").hasMessageContaining("goes back");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {}                                           | not a workload
                    {"format":"volume4j-workload","version":2}   | version 2
                    """)
    void refusesWhatIsNotAWorkloadOfThisVersion(String header, String message) {
        assertThatThrownBy(() -> new WorkloadReader(new StringReader(header)))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining(message);
    }
}
