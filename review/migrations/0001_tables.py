import curation.migrations._create_models
import django.db.models.deletion
import django.db.models.functions.comparison
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('review', '0001_initial'), ('review', '0002_spot_check_releases'), ('review', '0003_rules_suggestions_decisions'), ('review', '0004_verdict_steps'), ('review', '0005_category_is_optional'), ('review', '0006_declared_conflicts'), ('review', '0007_spot_checks_taken_back'), ('review', '0008_conflict_steps'), ('review', '0009_release_by_a_rule'), ('review', '0010_critical_flaws'), ('review', '0011_one_word_for_each_state')]

    initial = True

    dependencies = [
        ('curation', '0001_tables'),
        ('curation', '__first__'),
        ('rubrics', '0001_tables'),
    ]

    operations = [
        curation.migrations._create_models.CreateModels(
            models=[
                migrations.CreateModel(
                    name='Review',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('task', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reviews', to='curation.task')),
                        ('reviewer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reviews', to=settings.AUTH_USER_MODEL)),
                        ('state', models.CharField(choices=[('assigned', 'Assigned'), ('declined', 'Handed back'), ('expired', 'Expired')], default='assigned', max_length=10)),
                        ('number', models.PositiveSmallIntegerField()),
                        ('reason', models.TextField(blank=True)),
                        ('assigned_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('assigned_at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('due_at', models.DateTimeField()),
                    ],
                    options={
                        'ordering': ('due_at',),
                        'constraints': [models.UniqueConstraint(fields=('task', 'reviewer'), name='one_review_per_person_and_task'), models.UniqueConstraint(fields=('task', 'number'), name='reviewer_number_is_unique'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'declined'), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='declining_a_review_has_a_reason')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='Round',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('review', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='review.review')),
                        ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='rubrics.rubricversion')),
                        ('number', models.PositiveSmallIntegerField()),
                        ('opened_at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('finished_at', models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        'ordering': ('number',),
                        'constraints': [models.UniqueConstraint(fields=('review', 'number'), name='round_number_is_unique'), models.UniqueConstraint(condition=models.Q(('finished_at__isnull', True)), fields=('review',), name='one_open_round_per_review')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='LineReview',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='review.round')),
                        ('criterion', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reviews', to='rubrics.criterion')),
                        ('verdict', models.CharField(choices=[('approve', 'Approved'), ('change', 'Change requested')], max_length=10)),
                        ('aspect', models.CharField(blank=True, choices=[('factual', 'Factual validity'), ('clarity', 'Clarity'), ('atomicity', 'Atomicity'), ('weight', 'Weight')], max_length=10)),
                        ('carried_over', models.BooleanField(default=False)),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('round', 'criterion'), name='one_verdict_per_line_and_round'), models.CheckConstraint(condition=models.Q(('verdict', 'change'), ('aspect', ''), _connector='OR'), name='only_a_change_request_names_an_aspect')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='Suggestion',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('line', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='suggestion', to='review.linereview')),
                        ('text', models.TextField()),
                        ('importance', models.CharField(choices=[('essential', 'Essential'), ('important', 'Important'), ('optional', 'Optional')], max_length=10)),
                        ('weight', models.PositiveIntegerField()),
                        ('dimension', models.CharField(choices=[('instruction_following', 'Instruction following'), ('constraint_satisfaction', 'Constraint satisfaction'), ('accuracy', 'Accuracy'), ('information_processing', 'Information processing'), ('logical_coherence', 'Logical coherence'), ('domain_expertise', 'Domain expertise'), ('completeness', 'Completeness'), ('compliance', 'Compliance'), ('safety', 'Safety and risk'), ('novelty', 'Novelty'), ('linguistic_quality', 'Linguistic quality'), ('structure', 'Structure'), ('depth', 'Depth of analysis'), ('interdisciplinary', 'Interdisciplinary integration'), ('information_richness', 'Information richness'), ('other', 'Other'), ('critical_flaw', 'Critical flaw')], max_length=30)),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='a_suggestion_has_text')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='Comment',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('task', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='line_comments', to='curation.task')),
                        ('line_key', models.CharField(max_length=80)),
                        ('criterion', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='comments', to='rubrics.criterion')),
                        ('round', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='comments', to='review.round')),
                        ('side', models.CharField(choices=[('author', 'Author'), ('reviewer', 'Reviewer'), ('senior', 'Senior')], max_length=10)),
                        ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('text', models.TextField()),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                    ],
                    options={
                        'ordering': ('at', 'id'),
                        'indexes': [models.Index(fields=['task', 'line_key'], name='comment_thread')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='a_comment_has_a_text')],
                    },
                ),
                migrations.CreateModel(
                    name='ConflictOfInterest',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('one', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('other', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('kind', models.CharField(choices=[('affiliation', 'Same affiliation'), ('advisor', 'Advisor and student'), ('coauthor', 'Recent co-authors'), ('employer', 'Employer and employee'), ('family', 'Family or household'), ('business', 'Business or money'), ('referral', 'One referred the other')], max_length=20)),
                        ('since', models.DateField(blank=True, null=True)),
                        ('until', models.DateField(blank=True, null=True)),
                        ('state', models.CharField(choices=[('declared', 'Declared'), ('confirmed', 'Confirmed'), ('disputed', 'Disputed'), ('ended', 'Ended')], default='declared', max_length=10)),
                        ('declared_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('one__lt', models.F('other'))), name='a_conflict_is_stored_once'), models.UniqueConstraint(fields=('one', 'other', 'kind'), name='conflict_kind_is_unique_per_pair'), models.CheckConstraint(condition=models.Q(('until__isnull', True), ('since__isnull', True), ('until__gte', models.F('since')), _connector='OR'), name='a_conflict_ends_after_it_began')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='ConflictStep',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('conflict', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='steps', to='review.conflictofinterest')),
                        ('kind', models.CharField(choices=[('declared', 'declared'), ('confirmed', 'confirmed'), ('disputed', 'disputed'), ('upheld', 'upheld'), ('ended', 'ended')], max_length=10)),
                        ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('reason', models.TextField(blank=True)),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                    ],
                    options={
                        'ordering': ('id',),
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['disputed', 'upheld', 'ended']), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='a_conflict_is_disputed_and_decided_for_a_reason')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='Declaration',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='declarations', to=settings.AUTH_USER_MODEL)),
                        ('kind', models.CharField(choices=[('affiliation', 'Same affiliation'), ('advisor', 'Advisor and student'), ('coauthor', 'Recent co-authors'), ('employer', 'Employer and employee'), ('family', 'Family or household'), ('business', 'Business or money'), ('referral', 'One referred the other')], max_length=20, verbose_name='Kind')),
                        ('name', models.CharField(max_length=200, verbose_name='With whom')),
                        ('email', models.EmailField(blank=True, max_length=254, verbose_name='Their e-mail address')),
                        ('since', models.DateField(blank=True, null=True, verbose_name='Since')),
                        ('until', models.DateField(blank=True, null=True, verbose_name='Until')),
                        ('note', models.TextField(blank=True, verbose_name='Note for staff')),
                        ('conflict', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='declarations', to='review.conflictofinterest')),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                        ('dismissed_at', models.DateTimeField(blank=True, null=True)),
                        ('dismissed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('dismissed_reason', models.TextField(blank=True)),
                    ],
                    options={
                        'ordering': ('-id',),
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('dismissed_at__isnull', True), ('dismissed_by__isnull', True)), models.Q(('dismissed_at__isnull', False), ('dismissed_by__isnull', False), models.Q(('dismissed_reason', ''), _negated=True)), _connector='OR'), name='a_declaration_is_dismissed_by_somebody_for_a_reason'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='a_declaration_names_somebody'), models.CheckConstraint(condition=models.Q(('until__isnull', True), ('since__isnull', True), ('until__gte', models.F('since')), _connector='OR'), name='a_declaration_ends_after_it_began', violation_error_message='The last day is before the first.')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='LineDecision',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('task', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='line_decisions', to='curation.task')),
                        ('criterion', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='decision', to='rubrics.criterion')),
                        ('senior', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('outcome', models.CharField(choices=[('keep', "The author's line stands"), ('suggestion', "The reviewer's suggestion is taken"), ('own', 'The senior words it anew')], max_length=10)),
                        ('suggestion', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='review.suggestion')),
                        ('text', models.TextField()),
                        ('importance', models.CharField(choices=[('essential', 'Essential'), ('important', 'Important'), ('optional', 'Optional')], max_length=10)),
                        ('weight', models.PositiveIntegerField()),
                        ('dimension', models.CharField(choices=[('instruction_following', 'Instruction following'), ('constraint_satisfaction', 'Constraint satisfaction'), ('accuracy', 'Accuracy'), ('information_processing', 'Information processing'), ('logical_coherence', 'Logical coherence'), ('domain_expertise', 'Domain expertise'), ('completeness', 'Completeness'), ('compliance', 'Compliance'), ('safety', 'Safety and risk'), ('novelty', 'Novelty'), ('linguistic_quality', 'Linguistic quality'), ('structure', 'Structure'), ('depth', 'Depth of analysis'), ('interdisciplinary', 'Interdisciplinary integration'), ('information_richness', 'Information richness'), ('other', 'Other'), ('critical_flaw', 'Critical flaw')], max_length=30)),
                        ('reason', models.TextField()),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('closed_at', models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='a_decision_has_a_reason'), models.CheckConstraint(condition=models.Q(models.Q(('outcome', 'suggestion'), ('suggestion__isnull', False)), models.Q(('outcome__in', ['keep', 'own']), ('suggestion__isnull', True)), _connector='OR'), name='a_decision_names_the_suggestion_it_takes')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='ReviewPolicy',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('reviewers', models.PositiveSmallIntegerField(default=1)),
                        ('quorum', models.PositiveSmallIntegerField(default=1)),
                        ('rounds', models.PositiveSmallIntegerField(default=2)),
                        ('days', models.PositiveSmallIntegerField(default=7)),
                        ('draw', models.BooleanField(default=True)),
                        ('colleagues', models.CharField(choices=[('own_round', 'When their own round is finished'), ('next_version', 'With the version that follows')], default='own_round', max_length=12)),
                        ('hide_names', models.BooleanField(default=True)),
                        ('domain', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='review_policy', to='curation.domain')),
                    ],
                    options={
                        'verbose_name_plural': 'review policies',
                        'constraints': [models.UniqueConstraint(django.db.models.functions.comparison.Coalesce('domain', 0), name='one_review_policy_for_all_other_domains'), models.CheckConstraint(condition=models.Q(('colleagues__in', ['own_round', 'next_version']), ('days__gte', 1), ('quorum__gte', 1), ('quorum__lte', models.F('reviewers')), ('reviewers__gte', 1), ('reviewers__lte', 9), ('rounds__gte', 1)), name='rules_of_review_are_in_range')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='ReviewPolicyChange',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('policy', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='review.reviewpolicy')),
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
                    name='ReviewTerms',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('reviewers', models.PositiveSmallIntegerField(default=1)),
                        ('quorum', models.PositiveSmallIntegerField(default=1)),
                        ('rounds', models.PositiveSmallIntegerField(default=2)),
                        ('days', models.PositiveSmallIntegerField(default=7)),
                        ('draw', models.BooleanField(default=True)),
                        ('colleagues', models.CharField(choices=[('own_round', 'When their own round is finished'), ('next_version', 'With the version that follows')], default='own_round', max_length=12)),
                        ('hide_names', models.BooleanField(default=True)),
                        ('task', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='review_terms', to='curation.task')),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                    ],
                    options={
                        'verbose_name_plural': 'review terms',
                        'constraints': [models.CheckConstraint(condition=models.Q(('colleagues__in', ['own_round', 'next_version']), ('days__gte', 1), ('quorum__gte', 1), ('quorum__lte', models.F('reviewers')), ('reviewers__gte', 1), ('reviewers__lte', 9), ('rounds__gte', 1)), name='terms_of_a_review_are_in_range')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='VerdictStep',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='steps', to='review.round')),
                        ('criterion', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='rubrics.criterion')),
                        ('verdict', models.CharField(blank=True, choices=[('approve', 'Approved'), ('change', 'Change requested')], max_length=10)),
                        ('aspect', models.CharField(blank=True, choices=[('factual', 'Factual validity'), ('clarity', 'Clarity'), ('atomicity', 'Atomicity'), ('weight', 'Weight')], max_length=10)),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                    ],
                    options={
                        'ordering': ('at', 'id'),
                        'constraints': [models.CheckConstraint(condition=models.Q(('verdict', 'change'), ('aspect', ''), _connector='OR'), name='only_a_step_to_a_request_names_an_aspect')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='SpotCheck',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('task', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='spot_checks', to='curation.task')),
                        ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='spot_checks', to='rubrics.rubricversion')),
                        ('senior', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='spot_checks', to=settings.AUTH_USER_MODEL)),
                        ('consistent', models.BooleanField()),
                        ('aligned', models.BooleanField()),
                        ('evaluable', models.BooleanField()),
                        ('verdict', models.CharField(choices=[('accept', 'Accept'), ('send_back', 'Return'), ('discard', 'Discard')], max_length=10)),
                        ('remarks', models.TextField()),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('taken_back_at', models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        'ordering': ('at',),
                        'constraints': [models.UniqueConstraint(condition=models.Q(('taken_back_at__isnull', True)), fields=('task', 'version'), name='one_spot_check_per_version'), models.CheckConstraint(condition=models.Q(('taken_back_at__isnull', True), ('verdict', 'discard'), _connector='OR'), name='only_a_discard_is_taken_back'), models.CheckConstraint(condition=models.Q(('remarks', ''), _negated=True), name='a_spot_check_has_remarks'), models.CheckConstraint(condition=models.Q(models.Q(('verdict', 'accept'), _negated=True), models.Q(('aligned', True), ('consistent', True), ('evaluable', True)), _connector='OR'), name='accepted_rubrics_pass_all_three_tests')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='SpotCheckMark',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('spot_check', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='marks', to='review.spotcheck')),
                        ('criterion', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='rubrics.criterion')),
                        ('test', models.CharField(choices=[('consistency', 'Consistency'), ('alignment', 'Alignment with the task'), ('evaluability', 'Evaluability')], max_length=12)),
                        ('remark', models.TextField()),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('spot_check', 'criterion'), name='one_mark_per_line'), models.CheckConstraint(condition=models.Q(('remark', ''), _negated=True), name='a_mark_has_a_remark'), models.CheckConstraint(condition=models.Q(('test__in', ['consistency', 'alignment', 'evaluability'])), name='a_mark_names_one_of_the_tests')],
                        'indexes': [],
                    },
                ),
                migrations.CreateModel(
                    name='SpotCheckRelease',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('task', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='curation.task')),
                        ('senior', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('released_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('reason', models.TextField()),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='a_release_has_a_reason')],
                        'indexes': [],
                    },
                ),
            ],
        ),
    ]
