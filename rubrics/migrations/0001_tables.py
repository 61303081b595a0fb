import curation.migrations._create_models
import django.db.models.deletion
import django.db.models.functions.comparison
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('rubrics', '0001_initial'), ('rubrics', '0002_line_history'), ('rubrics', '0003_lines_read'), ('rubrics', '0004_steps_of_files_and_drafts'), ('rubrics', '0005_copied_lines'), ('rubrics', '0006_rules_and_reference'), ('rubrics', '0007_marks_set_aside'), ('rubrics', '0008_suggestions_and_decisions'), ('rubrics', '0009_default_beyond'), ('rubrics', '0010_text_versions'), ('rubrics', '0011_rubric_handovers'), ('rubrics', '0012_answer_lines'), ('rubrics', '0013_collected_rubrics'), ('rubrics', '0014_critical_flaws'), ('rubrics', '0015_stored_marks')]

    initial = True

    dependencies = [
        ('curation', '0001_tables'),
        ('curation', '__first__'),
    ]

    operations = [
        curation.migrations._create_models.CreateModels(
            models=[
                migrations.CreateModel(
                    name='RubricVersion',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('task', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rubric_versions', to='curation.task')),
                        ('number', models.PositiveSmallIntegerField()),
                        ('origin', models.CharField(choices=[('draft', 'Drafted by a model'), ('expert', 'Written by the expert'), ('import', 'Imported'), ('answer', 'Made from the exact answer')], max_length=10)),
                        ('drafted_by', models.CharField(blank=True, max_length=120)),
                        ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('saved_at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('revision', models.PositiveIntegerField(default=1)),
                        ('text_version', models.PositiveIntegerField(default=0)),
                        ('frozen_at', models.DateTimeField(blank=True, null=True)),
                        ('sha256', models.CharField(blank=True, max_length=64)),
                    ],
                    options={
                        'ordering': ('task', 'number'),
                        'constraints': [models.UniqueConstraint(fields=('task', 'number'), name='version_number_is_unique'), models.UniqueConstraint(condition=models.Q(('frozen_at__isnull', True)), fields=('task',), name='one_open_version_per_task'), models.CheckConstraint(condition=models.Q(models.Q(('frozen_at__isnull', True), ('sha256', '')), models.Q(('frozen_at__isnull', False), models.Q(('sha256', ''), _negated=True)), _connector='OR'), name='a_frozen_version_has_a_hash'), models.CheckConstraint(condition=models.Q(models.Q(('origin', 'draft'), _negated=True), ('frozen_at__isnull', False), _connector='OR'), name='a_draft_is_never_edited')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='Criterion',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='criteria', to='rubrics.rubricversion')),
                        ('key', models.CharField(max_length=80)),
                        ('position', models.PositiveIntegerField()),
                        ('text', models.TextField()),
                        ('importance', models.CharField(choices=[('essential', 'Essential'), ('important', 'Important'), ('optional', 'Optional')], max_length=10)),
                        ('weight', models.PositiveIntegerField()),
                        ('dimension', models.CharField(choices=[('instruction_following', 'Instruction following'), ('constraint_satisfaction', 'Constraint satisfaction'), ('accuracy', 'Accuracy'), ('information_processing', 'Information processing'), ('logical_coherence', 'Logical coherence'), ('domain_expertise', 'Domain expertise'), ('completeness', 'Completeness'), ('compliance', 'Compliance'), ('safety', 'Safety and risk'), ('novelty', 'Novelty'), ('linguistic_quality', 'Linguistic quality'), ('structure', 'Structure'), ('depth', 'Depth of analysis'), ('interdisciplinary', 'Interdisciplinary integration'), ('information_richness', 'Information richness'), ('other', 'Other'), ('critical_flaw', 'Critical flaw')], max_length=30)),
                        ('provenance', models.CharField(choices=[('draft', 'draft'), ('edited', 'edited'), ('added', 'mine'), ('imported', 'imported'), ('copied', 'copied'), ('answer', 'from the answer')], default='added', max_length=10)),
                        ('source', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='derived', to='rubrics.criterion')),
                        ('quote', models.TextField(blank=True)),
                        ('copied_from', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='curation.task')),
                        ('external', models.BooleanField(default=False)),
                    ],
                    options={
                        'verbose_name_plural': 'criteria',
                        'ordering': ('position', 'id'),
                        'constraints': [models.UniqueConstraint(fields=('version', 'key'), name='line_key_is_unique'), models.CheckConstraint(condition=models.Q(('weight__gte', 1), models.Q(('external', True), ('weight__lte', 10), _connector='OR')), name='weights_run_from_1_to_10'), models.CheckConstraint(condition=models.Q(('importance__in', ['essential', 'important', 'optional'])), name='importance_is_known'), models.CheckConstraint(condition=models.Q(('dimension__in', ['instruction_following', 'constraint_satisfaction', 'accuracy', 'information_processing', 'logical_coherence', 'domain_expertise', 'completeness', 'compliance', 'safety', 'novelty', 'linguistic_quality', 'structure', 'depth', 'interdisciplinary', 'information_richness', 'other', 'critical_flaw'])), name='dimension_is_known'), models.CheckConstraint(condition=models.Q(('copied_from__isnull', True), ('provenance', 'copied'), _connector='OR'), name='only_a_copied_line_was_copied')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='LineChange',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='rubrics.rubricversion')),
                        ('revision', models.PositiveIntegerField()),
                        ('key', models.CharField(max_length=80)),
                        ('kind', models.CharField(choices=[('edited', 'Line edited'), ('added', 'Line added'), ('removed', 'Line removed'), ('moved', 'Line moved'), ('split', 'Line split'), ('merged', 'Lines merged'), ('brought_back', 'Line brought back'), ('copied', 'Lines copied'), ('passage', 'Passage chosen'), ('taken', 'Lines taken from a draft'), ('imported', 'File imported'), ('suggested', 'Suggestion taken'), ('decided', 'Line decided by a senior'), ('confirmed', 'Line read and kept'), ('reason', 'Reason given'), ('undone', 'Step undone')], max_length=12)),
                        ('before', models.JSONField(blank=True, default=list)),
                        ('after', models.JSONField(blank=True, default=list)),
                        ('reason', models.TextField(blank=True)),
                        ('undoes', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='undone_by', to='rubrics.linechange')),
                        ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                    ],
                    options={
                        'ordering': ('id',),
                        'indexes': [models.Index(fields=['version', 'key'], name='change_version_key')],
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('kind', 'undone'), ('undoes__isnull', False)), models.Q(models.Q(('kind', 'undone'), _negated=True), ('undoes__isnull', True)), _connector='OR'), name='only_an_undo_undoes')],
                    },
                ),
                migrations.CreateModel(
                    name='RubricPolicy',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('domain', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rubric_policy', to='curation.domain')),
                        ('fewest', models.PositiveSmallIntegerField(default=15)),
                        ('most', models.PositiveSmallIntegerField(default=40)),
                        ('beyond', models.CharField(choices=[('refuse', 'Refused'), ('reason', 'Possible with a reason')], default='reason', max_length=10)),
                        ('reference', models.CharField(choices=[('open', 'Not asked for'), ('ask', 'Asked for once, before the first round'), ('require', 'Required')], default='ask', max_length=10)),
                    ],
                    options={
                        'verbose_name_plural': 'rubric policies',
                        'constraints': [models.UniqueConstraint(django.db.models.functions.comparison.Coalesce('domain', 0), name='one_rubric_policy_for_all_other_domains'), models.CheckConstraint(condition=models.Q(('fewest__gte', 1), ('fewest__lte', models.F('most')), ('most__lte', 500)), name='limits_of_a_rubric_are_in_order')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='RubricPolicyChange',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('policy', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='rubrics.rubricpolicy')),
                        ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('before', models.JSONField(blank=True, default=dict)),
                        ('after', models.JSONField()),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                    ],
                    options={
                        'ordering': ('-at', '-id'),
                        'indexes': [],
                        'constraints': [],
                    },
                ),
                migrations.CreateModel(
                    name='RubricHandover',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('task', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rubric_handovers', to='curation.task')),
                        ('giver', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('taker', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('reason', models.TextField()),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                    ],
                    options={
                        'ordering': ('id',),
                        'constraints': [models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='a_handover_of_a_rubric_has_a_reason'), models.CheckConstraint(condition=models.Q(('giver', models.F('taker')), _negated=True), name='a_rubric_is_handed_to_somebody_else')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='HelpRequest',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('task', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='help_requests', to='curation.task')),
                        ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('reason', models.TextField()),
                        ('state', models.CharField(choices=[('open', 'Waiting for staff'), ('answered', 'Handed over'), ('withdrawn', 'Withdrawn')], default='open', max_length=10)),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('closed_at', models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        'ordering': ('id',),
                        'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('task',), name='one_open_request_for_help'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='a_request_for_help_has_a_reason'), models.CheckConstraint(condition=models.Q(models.Q(('closed_at__isnull', True), ('state', 'open')), models.Q(models.Q(('state', 'open'), _negated=True), ('closed_at__isnull', False)), _connector='OR'), name='a_closed_request_for_help_has_a_time')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='ReferenceMark',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('task', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reference_marks', to='curation.task')),
                        ('key', models.CharField(max_length=80)),
                        ('met', models.BooleanField()),
                        ('why', models.TextField(blank=True)),
                        ('line_sha256', models.CharField(max_length=64)),
                        ('answer_sha256', models.CharField(max_length=64)),
                        ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                    ],
                    options={
                        'ordering': ('id',),
                        'indexes': [models.Index(fields=['task', 'key'], name='reference_mark_task_key')],
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('met', True), ('why', '')), models.Q(('met', False), models.Q(('why', ''), _negated=True)), _connector='OR'), name='a_line_not_met_says_why')],
                    },
                ),
                migrations.CreateModel(
                    name='StoredMarks',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('inputs', models.CharField(max_length=64)),
                        ('made_of', models.CharField(blank=True, max_length=64)),
                        ('result', models.JSONField(null=True)),
                        ('version', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='stored_marks', to='rubrics.rubricversion')),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('made_of', ''), ('result__isnull', True)), models.Q(models.Q(('made_of', ''), _negated=True), ('result__isnull', False)), _connector='OR'), name='stored_marks_say_what_they_are_made_of')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='Waiver',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='waivers', to='rubrics.rubricversion')),
                        ('key', models.CharField(blank=True, max_length=80)),
                        ('code', models.CharField(max_length=40)),
                        ('fingerprint', models.CharField(max_length=64)),
                        ('reason', models.TextField(blank=True)),
                        ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                    ],
                    options={
                        'ordering': ('id',),
                        'indexes': [models.Index(fields=['version', 'key'], name='waiver_version_key')],
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('code', ''), _negated=True), models.Q(('fingerprint', ''), _negated=True)), name='a_waiver_names_its_mark')],
                    },
                ),
                migrations.CreateModel(
                    name='SentMarks',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sent_marks', to='rubrics.rubricversion')),
                        ('code', models.CharField(max_length=40)),
                        ('standing', models.PositiveIntegerField()),
                        ('set_aside', models.PositiveIntegerField()),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('version', 'code'), name='a_rule_is_counted_once'), models.CheckConstraint(condition=models.Q(('standing__gt', 0), ('set_aside__gt', 0), _connector='OR'), name='nothing_is_not_counted')],
                        'indexes': [],
                    },
                ),
            ],
        ),
    ]
