package io.volume4j.core.migration;

import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.OtherSource;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amazon EBS. */
final class AwsEbs extends InTree {
    /** {@code aws://zone/vol-1}, {@code aws:///vol-1} or the bare id. */
    private static final Pattern ID = Pattern.compile("(?:aws://[^/]*/)?(vol-[^/]+)");

    AwsEbs() {
        super("kubernetes.io/aws-ebs", "awsElasticBlockStore", "ebs.csi.aws.com", "topology.ebs.csi.aws.com/zone");
    }

    @Override
    CsiSource toCsi(OtherSource source, Around around) {
        String given = Fields.text(source, "volumeID");
        Matcher id = ID.matcher(given);
        if (!id.matches()) {
            throw invalid("of volume " + around.meta().name(), "\"" + given + "\" is not a volumeID");
        }
        return new CsiSource(
                driver(),
                id.group(1),
                Fields.flag(source, "readOnly"),
                Fields.text(source, "fsType"),
                Map.of("partition", Long.toString(Fields.number(source, "partition"))),
                null,
                null,
                null,
                null,
                null);
    }

    @Override
    OtherSource toInTree(CsiSource source, Around around) {
        return new Fields.Building(sourceType())
                .text("volumeID", source.volumeHandle())
                .text("fsType", source.fsType())
                .number("partition", source.volumeAttributes().getOrDefault("partition", ""))
                .flag("readOnly", source.readOnly())
                .build();
    }

    @Override
    void parameter(String word, String key, String value, Map<String, String> parameters) {
        super.parameter(word, key, value, parameters);
        if (word.equals("iopspergb")) {
            // The in-tree plugin raised a rate that is too small for EBS. The driver refuses it without this
            // parameter.
            parameters.put("allowautoiopspergbincrease", "true");
        }
    }

    @Override
    boolean zonesInParameters() {
        return true;
    }

    @Override
    String regionOf(String zone) {
        return zone.matches(".*[0-9][a-z]") ? zone.substring(0, zone.length() - 1) : "";
    }
}
